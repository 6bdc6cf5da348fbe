{#
  PostgreSQL's box, lseg, path, polygon, circle and line, which Debezium sends from 3.7 on: an object, with a different form for each
  ({srid, wkb, extensions}, {center, radius}, {a, b, c}). Out: its JSON as text.
#}
{% macro decode_shape(type, settings) %}
  {% set unknown = "{raw} = " ~ afterimage.literal(settings['unavailable_value_placeholder']) %}
  {{ return({'literal': 'string', 'type': 'string', 'value': '{raw}', 'unknown': unknown, 'refuse': "{raw} not like '{%'"}) }}
{% endmacro %}
