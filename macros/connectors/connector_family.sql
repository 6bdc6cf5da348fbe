{# The connector whose file a connector shares, by its name; most often itself. #}
{% macro connector_family(name) %}
  {{ return({'mariadb': 'mysql'}.get(name, name)) }}
{% endmacro %}
