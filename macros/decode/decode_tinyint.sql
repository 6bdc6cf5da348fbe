{#
  MySQL tinyint and boolean (which is tinyint(1)): a JSON number; true or false where the table was created while the connector streamed,
  or where TinyIntOneToBooleanConverter is on. The same column may change between the two.
#}
{% macro decode_tinyint(type, settings) %}
  {% set spark = 'boolean' if type['name'] == 'boolean' else 'smallint' %}
  {% set value = "case {raw} when 'true' then true when '1' then true when 'false' then false when '0' then false end" if spark == 'boolean'
                 else "try_cast(case {raw} when 'true' then '1' when 'false' then '0' else {raw} end as smallint)" %}
  {{ return({'literal': 'string', 'type': spark, 'value': value, 'refuse': '{raw} is not null and ' ~ value ~ ' is null'}) }}
{% endmacro %}
