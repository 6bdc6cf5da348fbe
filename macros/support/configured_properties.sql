{#
  The properties that a model configures (`tblproperties`, as for any model of dbt-spark), or a format requires, as
  TBLPROPERTIES takes them. property_assignment writes ours.
  In: {name: value}. Out: list of "'name' = 'value'".
#}
{% macro configured_properties(properties) %}
  {% set stated = [] %}
  {% for name, value in properties.items() %}{% do stated.append(afterimage.literal(name) ~ ' = ' ~ afterimage.literal(value | string)) %}{% endfor %}
  {{ return(stated) }}
{% endmacro %}
