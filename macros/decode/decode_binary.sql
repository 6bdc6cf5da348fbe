{#
  bytea by binary.handling.mode: base64 text (bytes, base64), base64 with - and _ (base64-url-safe) or hexadecimal text (hex);
  the placeholder is encoded the same way.
#}
{% macro decode_binary(type, settings) %}
  {% set mode = settings['binary_handling_mode'] %}
  {% set placeholder = "encode('" ~ afterimage.escape_text(settings['unavailable_value_placeholder']) ~ "', 'UTF-8')" %}
  {% set in_base64 = "translate({raw}, '-_', '+/')" if mode == 'base64-url-safe' else '{raw}' %}
  {% set value = "try_to_binary({raw}, 'hex')" if mode == 'hex' else "try_to_binary(" ~ in_base64 ~ ", 'base64')" %}
  {{ return({
    'literal': 'string',
    'type': 'binary',
    'value': value,
    'unknown': "{raw} = " ~ afterimage.hex_text(placeholder) if mode == 'hex' else in_base64 ~ " = base64(" ~ placeholder ~ ")",
    'refuse': "{raw} is not null and " ~ value ~ " is null",
  }) }}
{% endmacro %}
