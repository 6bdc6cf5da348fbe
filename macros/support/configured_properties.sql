{#
  The properties that a model is configured with (`tblproperties`, as of any model of dbt-spark), or a format asks for, as TBLPROPERTIES
  takes them. Ours are written by property_assignment.
  In: {name: value}. Out: list of "'name' = 'value'".
#}
{% macro configured_properties(properties) %}
  {% set stated = [] %}
  {% for name, value in properties.items() %}{% do stated.append(afterimage.literal(name) ~ ' = ' ~ afterimage.literal(value | string)) %}{% endfor %}
  {{ return(stated) }}
{% endmacro %}
