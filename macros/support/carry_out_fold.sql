{#
  Carries out a statement that folds a log. A long one is planned with constraint propagation off: many columns give the optimizer so many derived
  constraints that planning alone can take minutes and gigabytes (18 columns with values not sent: out of memory at 2 GB); none of them prunes
  anything here. And with more rounds for the analyzer, which takes a few for each step of a query: the deepest history (Oracle with LOBs, rows
  that meet, late truncates) takes ninety-eight of Spark's hundred.

  These are settings of the session, put back by the last thread of the run that needs them. They decide how Spark plans and never what comes out, so
  nothing depends on which thread sets them. (After a statement that fails they stay: Jinja has no `finally`.)
  In: as for carry_out.
#}
{% macro carry_out_fold(why, sql, name='step') %}
  {% if sql | length < 10000 %}{{ return(afterimage.carry_out(why, sql, name)) }}{% endif %}
  {% set settings = {'spark.sql.constraintPropagation.enabled': 'false', 'spark.sql.analyzer.maxIterations': '400'} %}
  {% set memory = afterimage.run_memory('settings') %}
  {% set holders, before = memory.setdefault('holders', []), memory.setdefault('before', {}) %}
  {% do holders.append(model.name) %}
  {% for setting, value in settings.items() %}
    {% if setting not in before %}{% do before.update({setting: afterimage.ask('a setting of the session', 'set ' ~ setting).rows[0][1]}) %}{% endif %}
    {% do afterimage.ask('for the next statement', 'set ' ~ setting ~ ' = ' ~ value) %}
  {% endfor %}
  {% do afterimage.carry_out(why, sql, name) %}
  {% do holders.remove(model.name) %}
  {% for setting, value in before.items() if not holders %}
    {% do afterimage.ask('as it was', 'reset ' ~ setting if value == '<undefined>' else 'set ' ~ setting ~ ' = ' ~ value) %}
  {% endfor %}
{% endmacro %}
