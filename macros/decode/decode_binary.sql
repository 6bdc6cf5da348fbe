{# bytea by binary.handling.mode: base64 text (bytes, base64) or hexadecimal text; the placeholder is encoded the same way. #}
{% macro decode_binary(type, settings) %}
  {% set placeholder = afterimage.escape_text(settings['unavailable_value_placeholder']) %}
  {% set is_hex = settings['binary_handling_mode'] == 'hex' %}
  {% set value = "try_to_binary({raw}, '" ~ ('hex' if is_hex else 'base64') ~ "')" %}
  {{ return({
    'literal': 'string',
    'type': 'binary',
    'value': value,
    'unknown': "{raw} = " ~ ("lower(hex(encode('" ~ placeholder ~ "', 'UTF-8')))" if is_hex else "base64(encode('" ~ placeholder ~ "', 'UTF-8'))"),
    'refuse': "{raw} is not null and " ~ value ~ " is null",
  }) }}
{% endmacro %}
