{#
  Whole numbers: JSON numbers, exact to 2^63-1. PostgreSQL's oid is an unsigned 32-bit number and needs bigint; so do MySQL's unsigned ints.
  bigint unsigned (bigint.unsigned.handling.mode) goes beyond: as `long` its upper half comes as negative numbers, as `precise` it is base64
  of a number's bytes (a JSON number under decimal.format NUMERIC); as decimal(20,0) both are whole again.
#}
{% macro decode_integer(type, settings) %}
  {% set signed = {'smallint': 'smallint', 'mediumint': 'int', 'int': 'int', 'year': 'int'} %}
  {% set unsigned = {'smallint': 'int', 'mediumint': 'int', 'int': 'bigint', 'year': 'int'} %}
  {% if type['name'] == 'bigint' and type['is_unsigned'] %}
    {% if settings['bigint_unsigned_handling_mode'] == 'precise' %}
      {{ return(afterimage.decode_numeric({'name': 'decimal', 'arguments': [20, 0]}, {'decimal_handling_mode': 'precise', 'decimal_format': settings['decimal_format']})) }}
    {% endif %}
    {{ return({
      'literal': 'bigint',
      'type': 'decimal(20,0)',
      'value': 'cast(cast({raw} as decimal(20,0)) + if({raw} < 0, 18446744073709551616BD, 0BD) as decimal(20,0))',
    }) }}
  {% endif %}
  {% set spark = (unsigned if type['is_unsigned'] else signed).get(type['name'], 'bigint') %}
  {{ return({'literal': spark, 'type': spark, 'value': '{raw}'}) }}
{% endmacro %}
