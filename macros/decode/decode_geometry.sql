{#
  MySQL's geometry types, and geometry and geography of PostGIS: an object of srid and wkb (base64); a MySQL point has x and y too.
  Out: a struct of the same fields, wkb as binary.
#}
{% macro decode_geometry(type, settings) %}
  {% set place = ['x', 'y'] if type['name'] == 'point' else [] %}
  {% set read, values = [], [] %}
  {% for name in place %}
    {% do read.append(name ~ ': double') %}
    {% do values.append("'" ~ name ~ "', {raw}." ~ name) %}
  {% endfor %}
  {# a point may lack wkb, and no object may lack both #}
  {% set lacks = "{raw} is not null and ({raw}.wkb is not null or {raw}.x is null or {raw}.y is null) and " if place else "{raw} is not null and " %}
  {{ return({
    'literal': 'struct<' ~ (read + ['srid: int', 'wkb: string']) | join(', ') ~ '>',
    'type': 'struct<' ~ (read + ['srid: int', 'wkb: binary']) | join(', ') ~ '>',
    'value': "case when {raw} is not null then named_struct(" ~ (values + ["'srid', {raw}.srid", "'wkb', try_to_binary({raw}.wkb, 'base64')"]) | join(', ') ~ ") end",
    'refuse': lacks ~ "try_to_binary({raw}.wkb, 'base64') is null",
  }) }}
{% endmacro %}
