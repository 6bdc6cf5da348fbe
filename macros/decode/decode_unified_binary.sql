{# Unified type bytes of Datastream: base64; for MySQL hexadecimal digits (settings.binary_handling_mode, which is hex for datastream_mysql). #}
{% macro decode_unified_binary(type, settings) %}
  {% set found = afterimage.decode_binary(type, settings) %}
  {{ return({'literal': 'string', 'type': 'binary', 'value': found['value'], 'refuse': found['refuse']}) }}
{% endmacro %}
