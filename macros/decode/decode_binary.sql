{#
  bytea by binary.handling.mode: base64 text (bytes, base64), base64 with - and _ (base64-url-safe) or hexadecimal text (hex).
  The placeholder comes encoded the same way, or as the plain text it is (hex; the same in any mode is taken for it).
#}
{% macro decode_binary(type, settings) %}
  {% set mode = settings['binary_handling_mode'] %}
  {% set text = afterimage.literal(settings['unavailable_value_placeholder']) %}
  {% set in_base64 = "translate({raw}, '-_', '+/')" if mode == 'base64-url-safe' else '{raw}' %}
  {% set value = "try_to_binary({raw}, 'hex')" if mode == 'hex' else "try_to_binary(" ~ in_base64 ~ ", 'base64')" %}
  {% set bytes = "encode(" ~ text ~ ", 'UTF-8')" %}
  {{ return({
    'literal': 'string',
    'type': 'binary',
    'in_bytes': mode == 'bytes',
    'in_hex': mode == 'hex',
    'quoted': "'hexadecimal digits'" if mode == 'hex' else "'base64'",
    'value': value,
    'unknown': "({raw} = " ~ text ~ " or " ~ ("{raw} = " ~ afterimage.hex_text(bytes) if mode == 'hex' else in_base64 ~ " = base64(" ~ bytes ~ ")") ~ ")",
    'refuse': "{raw} is not null and (" ~ value ~ " is null" ~ (" or length({raw}) % 2 = 1" if mode == 'hex' else '') ~ ")",
  }) }}
{% endmacro %}
