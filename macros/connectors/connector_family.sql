{# The name of the connector whose file a connector shares; most often itself. #}
{% macro connector_family(name) %}
  {{ return({'mariadb': 'mysql'}.get(name, name)) }}
{% endmacro %}
