{# The name of the column that holds what is at a path of a document: address.city -> address_city. #}
{% macro column_of_path(path) %}
  {{ return(path | string | replace('.', '_')) }}
{% endmacro %}
