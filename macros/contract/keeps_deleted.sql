{# Whether the current state keeps deleted rows. Rows of a table without a key are only counted, so none are kept. #}
{% macro keeps_deleted(contract) %}
  {{ return(contract['deletes'] == 'flag' and contract['key'] | length > 0) }}
{% endmacro %}
