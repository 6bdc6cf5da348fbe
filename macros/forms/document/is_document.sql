{# Whether the rows of a contract are documents: its columns are paths into them. #}
{% macro is_document(contract) %}
  {{ return(contract['connector'] == 'mongodb') }}
{% endmacro %}
