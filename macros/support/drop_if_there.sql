{# Drops a relation of any type and forgets it. #}
{% macro drop_if_there(relation) %}
  {% set existing = adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier) %}
  {% if existing %}{% do adapter.drop_relation(existing) %}{% endif %}
  {% do afterimage.forget_properties(relation) %}
{% endmacro %}
