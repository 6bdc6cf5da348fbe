{#
  Integers: JSON numbers, exact to 2^63-1. PostgreSQL's oid is an unsigned 32-bit number and needs bigint; so do MySQL's unsigned ints.
  bigint unsigned (bigint.unsigned.handling.mode) goes beyond: as `long` its upper half comes as negative numbers, as `precise` it is base64
  of a number's bytes (a JSON number under decimal.format NUMERIC); decimal(20,0) restores both. The kind of the JSON value says which
  it is, so that the mode may change in mid-topic.
#}
{% macro decode_integer(type, settings) %}
  {% if type['name'] == 'bigint' and type['is_unsigned'] %}
    {% set kind = "coalesce(schema_of_variant({raw}), 'VOID')" %}
    {% set digits = "case when " ~ kind ~ " = 'STRING' then get(transform(array(nullif(try_variant_get({raw}, '$', 'string'), '')), b -> if(" ~ afterimage._is_base64('b')
                    ~ ", " ~ afterimage._unscaled_text('b') ~ ", null)), 0) when " ~ kind ~ " rlike '^(BIGINT|DECIMAL)' then cast({raw} as string) end" %}
    {% set whole = "try_cast(d as decimal(20,0)) + if(d like '-%' and " ~ kind ~ " <> 'STRING', 18446744073709551616BD, 0BD)" %}
    {% set is_base64 = settings['bigint_unsigned_handling_mode'] == 'precise' and settings['decimal_format'] != 'NUMERIC' %}
    {{ return({
      'literal': 'variant',
      'type': 'decimal(20,0)',
      'value': "get(transform(array(" ~ digits ~ "), d -> try_cast(" ~ whole ~ " as decimal(20,0))), 0)",
      'scale': 0,
      'plain_literal': 'string' if is_base64 else 'bigint',
      'plain': "case when " ~ afterimage._is_base64() ~ " then " ~ afterimage._plain_unscaled('decimal(20,0)', 0) ~ " end" if is_base64
               else 'cast(cast({raw} as decimal(20,0)) + if({raw} < 0, 18446744073709551616BD, 0BD) as decimal(20,0))',
      'refuse': kind ~ " <> 'VOID' and not get(transform(array(" ~ digits ~ "), d -> coalesce(d rlike '^-?[0-9]{1,20}$' and " ~ whole ~ " between 0BD and 18446744073709551615BD and not (d like '-%' and " ~ kind ~ " like 'DECIMAL%'), false)), 0)",
    }) }}
  {% endif %}
  {% set spark = afterimage._integer_type(type) %}
  {{ return({'literal': spark, 'type': spark, 'value': '{raw}'}) }}
{% endmacro %}


{# The Spark type of an integer type. In: type (see parse_type). #}
{% macro _integer_type(type) %}
  {% set signed = {'tinyint': 'smallint', 'smallint': 'smallint', 'mediumint': 'int', 'int': 'int', 'year': 'int'} %}
  {% set unsigned = {'tinyint': 'smallint', 'smallint': 'int', 'mediumint': 'int', 'int': 'bigint', 'year': 'int', 'bigint': 'decimal(20,0)'} %}
  {{ return((unsigned if type['is_unsigned'] else signed).get(type['name'], 'bigint')) }}
{% endmacro %}
