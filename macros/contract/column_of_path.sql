{# The name of the column for a path of a document: address.city -> address_city. #}
{% macro column_of_path(path) %}
  {{ return(path | string | replace('.', '_')) }}
{% endmacro %}
