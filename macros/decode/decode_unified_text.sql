{# Unified type string of Datastream: the text unchanged. It has no marker for a value that was not sent. #}
{% macro decode_unified_text(type, settings) %}
  {{ return({'literal': 'string', 'type': 'string', 'value': '{raw}'}) }}
{% endmacro %}
