{#
  Asks Spark one thing, or has it do one. In: why, in words: they stand above the statement, in Spark's own history too; the statement.
  Out: what run_query gives. Of a model of ours target/run shows all statements sent in this way, in order.
#}
{% macro ask(why, sql) %}
  {{ return(run_query(afterimage._with_heading(why, sql))) }}
{% endmacro %}


{# The same of a statement that gives no rows; name: dbt wants one of each model called main. #}
{% macro carry_out(why, sql, name='step') %}
  {% set statement_sql = afterimage._with_heading(why, sql) %}
  {% call statement(name) %}
{{ statement_sql }}
  {% endcall %}
  {% if name == 'main' %}{% do afterimage._with_heading() %}{% endif %}
{% endmacro %}


{# In the place of the statement called main, where nothing is to be written. In: what dbt says of the model then. #}
{% macro nothing_to_do(message) %}
  {% call noop_statement('main', message) %}{% endcall %}
  {% do afterimage._with_heading() %}
{% endmacro %}


{# A statement below its heading; adds it to what target/run shows of the model. #}
{% macro _with_heading(why=none, sql='') %}
  {% set headed = '-- ' ~ why ~ '\n' ~ afterimage.laid_out(sql) %}
  {% if model is defined and model.get('afterimage_runs') %}
    {% set statements = model.setdefault('afterimage_statements', []) %}
    {% if why %}{% do statements.append(headed) %}{% endif %}
    {% do write(statements | join(';\n\n')) %}
  {% endif %}
  {{ return(headed) }}
{% endmacro %}
