{# The names a column has and had in events, the newest first: list of text. #}
{% macro names_in_events(column) %}
  {{ return([column['field']] + (column.get('former', []) | map(attribute='field') | list)) }}
{% endmacro %}
