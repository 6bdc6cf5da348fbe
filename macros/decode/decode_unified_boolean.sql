{# Unified type boolean of Datastream, and MySQL's tinyint(1) and SQL Server's bit: true and false, 1 and 0, or texts of them. #}
{% macro decode_unified_boolean(type, settings) %}
  {% set value = "case {raw} when 'true' then true when '1' then true when 'false' then false when '0' then false end" %}
  {{ return({'literal': 'string', 'type': 'boolean', 'value': value, 'refuse': '{raw} is not null and ' ~ value ~ ' is null'}) }}
{% endmacro %}
