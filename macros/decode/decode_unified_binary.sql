{# Unified type bytes of Datastream: base64; of MySQL hexadecimal digits (settings.binary_handling_mode, for which datastream_mysql has hex). #}
{% macro decode_unified_binary(type, settings) %}
  {% set found = afterimage.decode_binary(type, settings) %}
  {{ return({'literal': 'string', 'type': 'binary', 'value': found['value'], 'refuse': found['refuse']}) }}
{% endmacro %}
