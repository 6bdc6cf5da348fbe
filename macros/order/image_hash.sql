{#
  64-bit hash (SQL bigint) of a row image, including which values were not sent and which fit no Spark type.
  Spark's hash skips NULLs: (NULL, 'a') and ('a', NULL) would be equal, and so would [] and [NULL, NULL]. So whether a column is NULL is
  hashed too, and arrays and structs are hashed as their JSON text.
  A column's decoder may say which part of the value is hashed (compared, see document_columns).
  In: list of {sql, type} of the columns; SQL of the texts of what is unknown and special.
#}
{% macro image_hash(columns, unknown='_cdc_unknown', special='_cdc_special') %}
  {% set parts = [] %}
  {% for column in columns if column.get('decoder', {}).get('compared', '') is not none %}
    {% set value = afterimage.fill(column['decoder']['compared'], column['sql']) if column.get('decoder', {}).get('compared') else 'to_json(' ~ afterimage.zoneless(column['sql'], column['type']) ~ ')' if '<' in column['type'] else column['sql'] %}
    {% do parts.append(value ~ ', isnull(' ~ column['sql'] ~ ')') %}
  {% endfor %}
  {{ return('xxhash64(' ~ parts | join(', ') ~ ", coalesce(" ~ unknown ~ ", ''), coalesce(" ~ special ~ ", ''))") }}
{% endmacro %}


{#
  The hash (SQL bigint) that is part of a change's identity, over the columns the change log was created with. A column the contract gained
  later is left out: otherwise a redelivered change would not be recognised.
  In: columns; late_columns, their names. Out: _cdc_image_hash itself while there are none.
#}
{% macro identity_hash(columns, late_columns) %}
  {{ return(afterimage.image_hash_without(columns, late_columns) if late_columns else '_cdc_image_hash') }}
{% endmacro %}


{# image_hash() of a row image without some of its columns. In: columns; left_out, names. Out: SQL bigint. #}
{% macro image_hash_without(columns, left_out) %}
  {% if not left_out %}{{ return(afterimage.image_hash(columns)) }}{% endif %}
  {% set is_left_out = "array_contains(array(" ~ afterimage.literals(left_out) ~ "), name)" %}
  {{ return(afterimage.image_hash(
    columns | rejectattr('name', 'in', left_out) | list,
    "nullif(to_json(filter(from_json(_cdc_unknown, 'array<string>'), name -> not " ~ is_left_out ~ ")), '[]')",
    "nullif(to_json(map_filter(from_json(_cdc_special, 'map<string, string>'), (name, text) -> not " ~ is_left_out ~ ")), '{}')"
  )) }}
{% endmacro %}
