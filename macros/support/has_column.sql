{# Whether a table of the project has a column; false where nothing can be asked (compiling without a database). In: relation, name. #}
{% macro has_column(relation, name) %}
  {% if not execute or model.resource_type not in ['model', 'test'] %}{{ return(false) }}{% endif %}
  {{ return(name in adapter.get_columns_in_relation(relation) | map(attribute='name')) }}
{% endmacro %}
