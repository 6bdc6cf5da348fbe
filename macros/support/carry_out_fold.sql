{#
  Carries out a statement that folds a log. A long one is planned with constraint propagation off: many columns give the optimizer so many derived
  constraints that planning alone can take minutes and gigabytes (18 columns with values not sent: out of memory at 2 GB); none of them prunes
  anything here. And with more rounds for the analyzer, which takes a few for each step of a query: the deepest history (Oracle with LOBs, rows
  that meet, late truncates) takes ninety-eight of Spark's hundred.

  These are settings of the session, which threads may share: they stay until the run ends (settings_put_back), so that none is taken from under
  another model's statement. They decide how Spark plans and never what comes out.
  In: as for carry_out.
#}
{% macro carry_out_fold(why, sql, name='step') %}
  {% if sql | length < 10000 %}{{ return(afterimage.carry_out(why, sql, name)) }}{% endif %}
  {% set settings = adapter.dispatch('fold_settings', 'afterimage')() %}
  {% set before = afterimage.run_memory('settings') %}
  {% for setting, value in settings.items() %}
    {% if setting not in before %}{% do before.update({setting: afterimage.ask('a setting of the session', 'set ' ~ setting).rows[0][1]}) %}{% endif %}
    {% do afterimage.ask('for the next statement', 'set ' ~ setting ~ ' = ' ~ value) %}
  {% endfor %}
  {% do afterimage.carry_out(why, sql, name) %}
{% endmacro %}


{# The settings of such a statement: {name: value}. #}
{% macro spark__fold_settings() %}
  {{ return({'spark.sql.constraintPropagation.enabled': 'false', 'spark.sql.analyzer.maxIterations': '400'}) }}
{% endmacro %}


{# A warehouse of Databricks takes no settings but its own. #}
{% macro databricks__fold_settings() %}
  {{ return({}) }}
{% endmacro %}
