{#
  Runs one statement with Spark's constraint propagation off.
  A fold over many columns gives the optimizer so many derived constraints that planning alone can take minutes and gigabytes
  (18 columns with values not sent: out of memory at 2 GB); none of them prunes anything here. The setting is put back afterwards.
#}
{% macro with_light_planning(name, statement_sql) %}
  {% set setting = 'spark.sql.constraintPropagation.enabled' %}
  {% set before = run_query('set ' ~ setting).rows[0][1] %}
  {% do run_query('set ' ~ setting ~ ' = false') %}
  {% call statement(name) %}
{{ statement_sql }}
  {% endcall %}
  {% do run_query('set ' ~ setting ~ ' = ' ~ (before if before in ['true', 'false'] else 'true')) %}
{% endmacro %}
