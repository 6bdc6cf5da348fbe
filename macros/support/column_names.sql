{# Comma-separated SQL names of a list of {sql}, optionally prefixed with an alias. #}
{% macro column_names(columns, alias='') %}
  {% set names = [] %}
  {% for column in columns %}{% do names.append((alias ~ '.' if alias else '') ~ column['sql']) %}{% endfor %}
  {{ return(names | join(',\n    ')) }}
{% endmacro %}
