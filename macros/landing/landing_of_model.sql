{# The landing relation of a change log. In: the model's node. Out: relation. #}
{% macro landing_of_model(node) %}
  {% set source_node = afterimage.source_of_model(node) %}
  {{ return(source(source_node.source_name, source_node.name)) }}
{% endmacro %}
