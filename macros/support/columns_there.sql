{# The columns of a table of the project; [] where nothing may be queried, see is_only_compiled. In: relation. #}
{% macro columns_there(relation) %}
  {% if not execute or model.resource_type not in ['model', 'test'] or afterimage.is_only_compiled() %}{{ return([]) }}{% endif %}
  {{ return(adapter.get_columns_in_relation(relation)) }}
{% endmacro %}
