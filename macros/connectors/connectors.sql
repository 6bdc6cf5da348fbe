{# The supported connectors, as contracts name them -> their titles. #}
{% macro connectors() %}
  {{ return({
    'postgresql': 'PostgreSQL',
    'mysql': 'MySQL',
    'mariadb': 'MariaDB',
    'sqlserver': 'SQL Server',
    'oracle': 'Oracle',
    'db2': 'Db2',
    'mongodb': 'MongoDB',
    'datastream_mysql': 'Google Datastream of MySQL',
    'datastream_oracle': 'Google Datastream of Oracle',
    'datastream_postgresql': 'Google Datastream of PostgreSQL',
    'datastream_sqlserver': 'Google Datastream of SQL Server',
  }) }}
{% endmacro %}
