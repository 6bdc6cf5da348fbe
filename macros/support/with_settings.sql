{#
  Runs one statement under Spark settings of its own and puts the session's back afterwards, so that a model never depends on how a
  session happens to be set up. (After a statement that fails they stay until the next call: Jinja has no `finally`.)
  In: why (see ask), the SQL, settings {name: value}, the statement's name (see carry_out).
#}
{% macro with_settings(why, statement_sql, settings, name='step') %}
  {% set before = {} %}
  {% for setting, value in settings.items() %}
    {% do before.update({setting: afterimage.ask('a setting of the session', 'set ' ~ setting).rows[0][1]}) %}
    {% do afterimage.ask('for the next statement', 'set ' ~ setting ~ ' = ' ~ value) %}
  {% endfor %}
  {% do afterimage.carry_out(why, statement_sql, name) %}
  {% for setting, value in before.items() %}
    {% do afterimage.ask('as it was', 'reset ' ~ setting if value == '<undefined>' else 'set ' ~ setting ~ ' = ' ~ value) %}
  {% endfor %}
{% endmacro %}


{#
  Settings for a statement that folds a log, where it is long; a short one Spark plans quickly as it is set up. Constraint propagation off: many
  columns give the optimizer so many derived constraints that planning alone can take minutes and gigabytes (18 columns with values not sent:
  out of memory at 2 GB); none of them prunes anything here. And more rounds for the analyzer, which takes a few for each step of a query: the
  deepest history (Oracle with LOBs, rows that meet, late truncates) takes ninety-eight of Spark's hundred.
  In: the statement's SQL.
#}
{% macro light_planning(statement_sql) %}
  {% if statement_sql | length < 10000 %}{{ return({}) }}{% endif %}
  {{ return({'spark.sql.constraintPropagation.enabled': 'false', 'spark.sql.analyzer.maxIterations': '400'}) }}
{% endmacro %}


{#
  Only the partitions that get rows are replaced; under Spark's default (static) the whole table would be emptied. For a statement that reads the
  table it overwrites, which Spark allows only where the rows tell the partition and not the statement.
#}
{% macro dynamic_overwrite() %}
  {{ return({'spark.sql.sources.partitionOverwriteMode': 'dynamic'}) }}
{% endmacro %}
