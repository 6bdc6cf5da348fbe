{# point: an object {x, y}; members wkb and srid that newer connectors add repeat the same. #}
{% macro decode_point(type, settings) %}
  {{ return({'literal': 'struct<x: double, y: double>', 'type': 'struct<x: double, y: double>', 'value': '{raw}',
             'refuse': '{raw} is not null and ({raw}.x is null or {raw}.y is null)'}) }}
{% endmacro %}
