{#
  Bits in Datastream: for MySQL a number, or text of its digits; for PostgreSQL the text of 0 and 1 that it prints. Out: text of 0 and 1, as
  decode_bits; bit(1) a boolean.
#}
{% macro decode_unified_bits(type, settings) %}
  {% set length = type['arguments'][0] if type['arguments'] else none %}
  {% if type['name'] == 'bit' and length == 1 %}{{ return(afterimage.decode_unified_boolean(type, settings)) }}{% endif %}
  {% if not type['zero_dates'] %}
    {{ return({'literal': 'string', 'type': 'string', 'value': '{raw}', 'refuse': "not {raw} rlike '^[01]*$'"}) }}
  {% endif %}
  {# the upper half of 64 bits comes as a negative number, or as one that no long holds #}
  {% set bits = "coalesce(bin(try_cast({raw} as bigint)), conv({raw}, 10, 2))" %}
  {{ return({
    'literal': 'string',
    'type': 'string',
    'value': 'lpad(' ~ bits ~ ', ' ~ length ~ ", '0')",
    'refuse': "{raw} is not null and (not {raw} rlike '^(-[0-9]{1,19}|[0-9]{1,20})$' or length(" ~ bits ~ ') > ' ~ length ~ ')',
  }) }}
{% endmacro %}
