{# Unified type string of Datastream: the text as it is. It has no word for a value that was not sent. #}
{% macro decode_unified_text(type, settings) %}
  {{ return({'literal': 'string', 'type': 'string', 'value': '{raw}'}) }}
{% endmacro %}
