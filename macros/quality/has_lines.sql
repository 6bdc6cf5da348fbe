{# True when a landing table was landed from files and so can hold lines that were no records. #}
{% macro has_lines(landing) %}
  {% set names = afterimage.columns_there(landing) | map(attribute='name') | list if landing is not string else [] %}
  {{ return('line' in names and 'file' in names) }}
{% endmacro %}
