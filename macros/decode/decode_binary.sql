{#
  bytea by binary.handling.mode: base64 text (bytes, base64), base64 with - and _ (base64-url-safe) or hexadecimal text (hex).
  The placeholder comes encoded the same way, or as plain text (hex; plain text is recognised in any mode).
  A binary(n) has n bytes. MySQL's binary log leaves out the zeros at its end, which a snapshot has: they are restored, and a longer value is
  refused. Source: MySQL Internals, Field_string::pack; newer connectors pad it themselves (Debezium, BinlogValueConverters).
#}
{% macro decode_binary(type, settings) %}
  {% set mode = settings['binary_handling_mode'] %}
  {% set size = type['arguments'][0] if type['name'] == 'binary' and type['arguments'] else none %}
  {% set text = afterimage.literal(settings['unavailable_value_placeholder']) %}
  {% set in_base64 = "translate({raw}, '-_', '+/')" if mode == 'base64-url-safe' else '{raw}' %}
  {% set bytes_sent = "try_to_binary({raw}, 'hex')" if mode == 'hex' else "try_to_binary(" ~ in_base64 ~ ", 'base64')" %}
  {% set bytes = afterimage.placeholder_binary(settings) %}
  {{ return({
    'literal': 'string',
    'type': 'binary',
    'in_bytes': mode == 'bytes',
    'in_hex': mode == 'hex',
    'quoted': "'hexadecimal digits'" if mode == 'hex' else "'base64'",
    'value': bytes_sent if size is none else "rpad(" ~ bytes_sent ~ ", " ~ size ~ ", X'00')",
    'unknown': "({raw} = " ~ text ~ " or " ~ ("{raw} = " ~ afterimage.hex_text(bytes) if mode == 'hex' else in_base64 ~ " = base64(" ~ bytes ~ ")") ~ ")",
    'refuse': "{raw} is not null and (" ~ bytes_sent ~ " is null" ~ (" or length({raw}) % 2 = 1" if mode == 'hex' else '')
              ~ (" or length(" ~ bytes_sent ~ ") > " ~ size if size is not none else '') ~ ")",
  }) }}
{% endmacro %}
