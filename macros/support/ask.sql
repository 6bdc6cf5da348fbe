{#
  Runs one query and returns its result. In: why, a reason in words, which is put above the statement and so shows in
  Spark's own history; the statement.
  Out: the result of run_query. For our models target/run shows all statements sent in this way, in order.
#}
{% macro ask(why, sql) %}
  {{ return(run_query(afterimage._with_heading(why, sql))) }}
{% endmacro %}


{# The same for a statement without a result; name: dbt requires one statement called main in each model. #}
{% macro carry_out(why, sql, name='step') %}
  {% set statement_sql = afterimage._with_heading(why, sql) %}
  {% call statement(name) %}
{{ statement_sql }}
  {% endcall %}
  {% if name == 'main' %}{% do afterimage._with_heading() %}{% endif %}
{% endmacro %}


{#
  Replaces the statement called main when there is nothing to write. In: the message that dbt then shows for the
  model.
#}
{% macro nothing_to_do(message) %}
  {% call noop_statement('main', message) %}{% endcall %}
  {% do afterimage._with_heading() %}
{% endmacro %}


{# A statement below its heading; also adds it to what target/run shows for the model. #}
{% macro _with_heading(why=none, sql='') %}
  {% set headed = '-- ' ~ why ~ '\n' ~ afterimage.laid_out(sql) %}
  {% if model is defined and model.get('afterimage_runs') %}
    {% set statements = model.setdefault('afterimage_statements', []) %}
    {% if why %}{% do statements.append(headed) %}{% endif %}
    {% do write(statements | join(';\n\n')) %}
  {% endif %}
  {{ return(headed) }}
{% endmacro %}
