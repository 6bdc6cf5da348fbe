{#
  Identity of a change, the same however often it is delivered: position, op, transaction order when sent, key and image.
  Nothing that a redelivery may change (offset, outer times, headers, sequence[0]) is part of it.
  Out: SQL text, e.g. 00000000000034338672:u:1:5f0c….
#}
{% macro event_id(position, op, tx_order, key, image_hash) %}
  {{ return(
    "concat_ws(':', " ~ position ~ ", " ~ op ~ ", coalesce(cast(" ~ tx_order ~ " as string), ''), lower(hex(xxhash64(" ~ key ~ ", "
    ~ image_hash ~ "))))") }}
{% endmacro %}


{#
  64-bit hash of a row image, values not sent and values beside included.
  Spark's hash passes over NULLs, so (NULL, 'a') and ('a', NULL) would meet, and so would [] and [NULL, NULL]: whether a column is NULL
  is hashed too, and arrays and structs are hashed as their JSON text.
  In: list of {sql, type} of the columns. Out: SQL bigint.
#}
{% macro image_hash(columns) %}
  {% set parts = [] %}
  {% for column in columns %}
    {% set value = 'to_json(' ~ column['sql'] ~ ')' if '<' in column['type'] else column['sql'] %}
    {% do parts.append(value ~ ', isnull(' ~ column['sql'] ~ ')') %}
  {% endfor %}
  {{ return('xxhash64(' ~ parts | join(', ') ~ ", coalesce(_cdc_unknown, ''), coalesce(_cdc_special, ''))") }}
{% endmacro %}
