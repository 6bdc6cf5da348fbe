{# Whole numbers: JSON numbers, exact to 2^63-1. oid is an unsigned 32-bit number and needs bigint. #}
{% macro decode_integer(type, settings) %}
  {% set spark = {'smallint': 'smallint', 'int2': 'smallint', 'smallserial': 'smallint',
                  'integer': 'int', 'int': 'int', 'int4': 'int', 'serial': 'int'}.get(type['name'], 'bigint') %}
  {{ return({'literal': spark, 'type': spark, 'value': '{raw}'}) }}
{% endmacro %}
