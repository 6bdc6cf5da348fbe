{# The connectors there are, as contracts name them. #}
{% macro connectors() %}
  {{ return(['postgresql', 'mysql', 'mariadb', 'sqlserver', 'oracle', 'db2', 'mongodb', 'datastream_mysql', 'datastream_oracle', 'datastream_postgresql', 'datastream_sqlserver']) }}
{% endmacro %}
