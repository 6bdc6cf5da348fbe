{# Columns of the source that two tables of the project have, as Spark reads their names; [] where nothing can be asked (compiling without a database). #}
{% macro columns_of_both(one, other) %}
  {% if not execute or model.resource_type not in ['model', 'test'] %}{{ return([]) }}{% endif %}
  {% set there = adapter.get_columns_in_relation(other) | map(attribute='name') | list %}
  {% set found = [] %}
  {% for column in adapter.get_columns_in_relation(one) if column.name in there and not column.name.startswith('_cdc_') %}
    {% do found.append(afterimage.identifier(column.name)) %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}
