{# boolean and bit(1): JSON true/false. Spec: connector documentation, basic types. #}
{% macro decode_boolean(type, settings) %}
  {{ return({'literal': 'boolean', 'type': 'boolean', 'value': '{raw}'}) }}
{% endmacro %}
