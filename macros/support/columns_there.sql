{# Names of the columns of a table of the project; none where nothing can be asked (compiling without a database). In: relation. #}
{% macro columns_there(relation) %}
  {% if not execute or model.resource_type not in ['model', 'test'] %}{{ return([]) }}{% endif %}
  {{ return(adapter.get_columns_in_relation(relation) | map(attribute='name') | list) }}
{% endmacro %}
