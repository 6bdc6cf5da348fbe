{#
  Computes a small select once and keeps its rows in the session, in memory and on Spark's local disk: for what several statements of a
  run read and nobody else is to see. In: relation the rows are about, suffix, the select. Out: the name to read it by.
#}
{% macro kept_in_session(relation, suffix, select_sql) %}
  {% set name = afterimage._session_name(relation, suffix) %}
  {% do afterimage.forget_in_session(relation, suffix) %}
  {% call statement(suffix) %}
cache table {{ name }} as
{{ select_sql }}
  {% endcall %}
  {{ return(name) }}
{% endmacro %}


{# Lets go what kept_in_session keeps; nothing happens where it keeps nothing. #}
{% macro forget_in_session(relation, suffix) %}
  {% set name = afterimage._session_name(relation, suffix) %}
  {% do run_query('uncache table if exists ' ~ name) %}
  {% do run_query('drop view if exists ' ~ name) %}
{% endmacro %}


{# With the schema in it: models of two schemas may have one name, and threads of dbt may share a session. #}
{% macro _session_name(relation, suffix) %}
  {{ return('`' ~ (relation.schema ~ '__' ~ relation.identifier ~ '__' ~ suffix) | replace('`', '``') ~ '`') }}
{% endmacro %}
