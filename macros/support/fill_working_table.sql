{#
  Creates a table that exists within one run, and fills it. (The lock table of a change log, see acquire_lock, is only
  filled.)

  In:  relation; columns, a list of {name, sql, type} in the order of the select; the select; the model's file format;
       why, the reason for the statement (see ask).
  It is created first and then filled, not by CREATE TABLE … AS: after a run is killed while it writes, the files of a
  table that does not exist yet would block every later run ([LOCATION_ALREADY_EXISTS]); those of an existing table go
  when it is dropped.
#}
{% macro fill_working_table(relation, columns, select_sql, file_format, why) %}
  {% if relation not in model.setdefault('afterimage_working_tables', []) %}
    {% do afterimage.drop_if_there(relation) %}
    {% do afterimage.ask('create a working table', afterimage.create_working_table(relation, columns, file_format)) %}
    {% do afterimage.list_relation(relation) %}
    {% do model['afterimage_working_tables'].append(relation) %}
  {% endif %}
  {% set insert -%}
insert into {{ relation }} (
    {{ afterimage.column_names(columns) }}
)
{{ select_sql }}
  {%- endset %}
  {% do afterimage.carry_out(why, insert) %}
{% endmacro %}


{#
  The statement that creates one, in the format that table_format gives for working tables. With an owner IF NOT EXISTS: when two runs get here at
  once, the catalog lets one create the table, and the other sees its owner.
#}
{% macro create_working_table(relation, columns, file_format, owner=none) %}
  {% set made = afterimage.table_format(file_format)['working_table'] %}
  {% set definitions = [] %}
  {% for column in columns %}{% do definitions.append(column['sql'] ~ ' ' ~ column['type']) %}{% endfor %}
  {% set properties = ([afterimage.property_assignment('owner', owner)] if owner else []) + afterimage.configured_properties(made['properties']) %}
  {% set create -%}
create table {{ 'if not exists ' if owner }}{{ relation }} (
    {{ definitions | join(',\n    ') }}
)
using {{ made['format'] }}
{%- if made['options'] %}
options ({{ afterimage.configured_properties(made['options']) | join(', ') }})
{%- endif %}
{%- if properties %}
tblproperties ({{ properties | join(', ') }})
{%- endif %}
  {%- endset %}
  {{ return(create) }}
{% endmacro %}


{# Drops the working tables of this run of the model; the lock table was created first and is dropped last. #}
{% macro drop_working_tables() %}
  {% for relation in model.pop('afterimage_working_tables', []) | reverse %}{% do afterimage.drop_if_there(relation) %}{% endfor %}
{% endmacro %}


{#
  Drops the working tables of models that did not finish, so that no lock refuses the next run. Called on-run-end,
  which a killed run does not reach (see acquire_lock). A lock that another run holds, for which the model was
  refused, stays.
  In: results of the run.
#}
{% macro drop_working_tables_of_failed(results) %}
  {% if not execute %}{{ return('') }}{% endif %}
  {% for result in results if result.status != 'success' and result.node.config.materialized in afterimage.kept_tables() %}
    {# __batch is the lock and is dropped last: while it exists no other run creates a __known #}
    {% set table = afterimage.relation_of(result.node) %}
    {% if afterimage.lock_owner(afterimage.companion_table(table, 'batch')).startswith(invocation_id) %}
      {% for suffix in ['known', 'batch'] %}
        {% do adapter.drop_relation(afterimage.companion_table(table, suffix).incorporate(type='table')) %}
      {% endfor %}
    {% endif %}
  {% endfor %}
  {{ return('') }}
{% endmacro %}
