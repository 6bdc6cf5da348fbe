{#
  bit(1) is a JSON boolean, as is varbit(1). bit(n) and varbit are base64 of LITTLE-endian bytes: B'101010101' is VQE=.
  Out: text of 0 and 1, n long; more bits than n are refused. The stream has full bytes, not a varbit's leading zeros: it is cut to its first 1 bit.
#}
{% macro decode_bits(type, settings) %}
  {% set length = type['arguments'][0] if type['arguments'] else none %}
  {% if type['name'] == 'bit' and length == 1 %}
    {{ return(afterimage.decode_boolean(type, settings)) }}
  {% endif %}
  {% set bits -%}
    array_join(transform(reverse(sequence(1, greatest(length(try_to_binary({raw}, 'base64')), 1))), i -> lpad(conv(hex(substr(try_to_binary({raw}, 'base64'), i, 1)), 16, 2), 8, '0')), '')
  {%- endset %}
  {% set value = "lpad(right(" ~ bits ~ ", " ~ length ~ "), " ~ length ~ ", '0')" if type['name'] == 'bit'
                 else "case when length({raw}) = 0 then '' else coalesce(nullif(ltrim('0', " ~ bits ~ "), ''), '0') end" %}
  {% set too_long = " or length(ltrim('0', " ~ bits ~ ")) > " ~ length if length else "" %}
  {% set decoder = {
    'literal': 'string',
    'type': 'string',
    'value': 'case when {raw} is not null then ' ~ value ~ ' end',
    'refuse': "{raw} is not null and (try_to_binary({raw}, 'base64') is null" ~ too_long ~ ")",
    'quoted': "'base64'",
  } %}
  {% if length == 1 %}
    {# the word true is also base64, of three bytes #}
    {% do decoder.update({
      'value': "case {raw} when 'true' then '1' when 'false' then '0' else " ~ decoder['value'] ~ " end",
      'refuse': "{raw} not in ('true', 'false') and " ~ decoder['refuse'],
      'quoted': none,
    }) %}
  {% endif %}
  {{ return(decoder) }}
{% endmacro %}
