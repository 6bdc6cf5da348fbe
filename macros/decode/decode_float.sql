{# real and double precision: JSON numbers, or the texts NaN, Infinity, -Infinity, which from_json reads as such. #}
{% macro decode_float(type, settings) %}
  {% set spark = 'float' if type['name'] in ['real', 'float4'] else 'double' %}
  {{ return({'literal': spark, 'type': spark, 'value': '{raw}'}) }}
{% endmacro %}
