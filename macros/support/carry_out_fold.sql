{#
  Executes a statement that folds a log. A long one is planned with constraint propagation off: many columns give the
  optimizer so many derived constraints that planning alone can take minutes and gigabytes (18 columns with values not
  sent: out of memory at 2 GB); none of them prunes anything here. It also gets more analyzer iterations, because each
  step of a query takes a few: the deepest history (Oracle with LOBs, key collisions, late truncates) takes
  ninety-eight of Spark's hundred.

  These are session settings, which threads may share: they stay until the run ends (settings_put_back), so that no
  other model's statement loses them. They affect Spark's planning and never the result.
  In: as for carry_out.
#}
{% macro carry_out_fold(why, sql, name='step') %}
  {% if sql | length < 10000 %}{{ return(afterimage.carry_out(why, sql, name)) }}{% endif %}
  {% set settings = adapter.dispatch('fold_settings', 'afterimage')() %}
  {% set before = afterimage.run_memory('settings') %}
  {% for setting, value in settings.items() %}
    {% if setting not in before %}{% do before.update({setting: afterimage.ask('read a session setting', 'set ' ~ setting).rows[0][1]}) %}{% endif %}
    {% do afterimage.ask('set it for the next statement', 'set ' ~ setting ~ ' = ' ~ value) %}
  {% endfor %}
  {% do afterimage.carry_out(why, sql, name) %}
{% endmacro %}


{# The session settings for such a statement: {name: value}. #}
{% macro spark__fold_settings() %}
  {{ return({'spark.sql.constraintPropagation.enabled': 'false', 'spark.sql.analyzer.maxIterations': '400'}) }}
{% endmacro %}


{# A Databricks warehouse accepts only its own settings. #}
{% macro databricks__fold_settings() %}
  {{ return({}) }}
{% endmacro %}
