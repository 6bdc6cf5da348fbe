{# Floating point: JSON numbers, or the texts NaN, Infinity, -Infinity, which from_json reads as such. float(25) and more, and MySQL's float(7,4), are doubles. #}
{% macro decode_float(type, settings) %}
  {% set spark = 'float' if type['name'] == 'real' or (type['name'] == 'float' and type['arguments'] | length < 2 and (type['arguments'] or [24])[0] <= 24) else 'double' %}
  {% if spark == 'double' %}{{ return({'literal': 'double', 'type': 'double', 'value': '{raw}'}) }}{% endif %}
  {# a float would read a number beyond its range as infinite #}
  {{ return({
    'literal': 'double',
    'type': 'float',
    'value': 'cast({raw} as float)',
    'refuse': "cast({raw} as float) in (float('Infinity'), float('-Infinity')) and {raw} not in (double('Infinity'), double('-Infinity'))",
  }) }}
{% endmacro %}
