{#
  Unified types int and long of Datastream: a JSON number, or text of its digits; for a boolean also true and false. Read as text, which is exact
  for integers. Out: types as decode_integer and decode_tinyint have them; bigint unsigned is decimal(20,0).
#}
{% macro decode_unified_integer(type, settings) %}
  {% if type['name'] == 'boolean' %}{{ return(afterimage.decode_unified_boolean(type, settings)) }}{% endif %}
  {% set spark = afterimage._integer_type(type) %}
  {% set value = "try_cast(case {raw} when 'true' then '1' when 'false' then '0' else {raw} end as " ~ spark ~ ")" %}
  {{ return({
    'literal': 'string',
    'type': spark,
    'value': value,
    'refuse': "{raw} is not null and not ({raw} rlike '^(-?[0-9]+|true|false)$' and " ~ value ~ " is not null)",
  }) }}
{% endmacro %}
