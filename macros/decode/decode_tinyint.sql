{#
  MySQL tinyint and boolean (which is tinyint(1)): a JSON number; true or false where the table was created while the connector streamed,
  or where TinyIntOneToBooleanConverter is on. The same column may change between the two.
#}
{% macro decode_tinyint(type, settings) %}
  {% if type['name'] == 'boolean' %}{{ return(afterimage.decode_unified_boolean(type, settings)) }}{% endif %}
  {% set value = "try_cast(case {raw} when 'true' then '1' when 'false' then '0' else {raw} end as smallint)" %}
  {{ return({'literal': 'string', 'type': 'smallint', 'value': value, 'refuse': '{raw} is not null and ' ~ value ~ ' is null'}) }}
{% endmacro %}
