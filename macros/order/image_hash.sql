{#
  64-bit hash of a row image, values not sent and values beside included.
  Spark's hash passes over NULLs, so (NULL, 'a') and ('a', NULL) would meet, and so would [] and [NULL, NULL]: whether a column is NULL
  is hashed too, and arrays and structs are hashed as their JSON text.
  What of a value a hash takes its decoder may say (compared, see document_columns).
  In: list of {sql, type} of the columns; SQL of the texts of what is unknown and special. Out: SQL bigint.
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
  The hash that is part of a change's identity: of the columns the change log was made with. A column the contract gained later is left
  out, or a change delivered again would not be known again.
  In: columns; late_columns, their names. Out: SQL bigint; _cdc_image_hash itself while there are none.
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
