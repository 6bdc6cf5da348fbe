{# vector(n) of pgvector, MySQL and MariaDB, halfvec(n): an array of numbers, none of them NULL. The databases store each as at most a float. #}
{% macro decode_vector(type, settings) %}
  {% set wrong_length = " or size({raw}) <> " ~ type['arguments'][0] if type['arguments'] else "" %}
  {{ return({
    'literal': 'array<float>',
    'type': 'array<float>',
    'value': '{raw}',
    'refuse': "{raw} is not null and (exists({raw}, e -> e is null)" ~ wrong_length ~ ")",
  }) }}
{% endmacro %}
