{#
  Makes a table that lives within one run, and fills it.

  In:  relation; columns, a list of {name, sql, type} in the order of the select; the select; the model's file format; the name of the
       statement that fills it; settings of the session for it (see with_settings).
  Made first and filled then, not by CREATE TABLE … AS: when a run is killed while it writes, the files of a table that is not there yet
  would be in the way of every later run ([LOCATION_ALREADY_EXISTS]); those of one that is there go when it is dropped.
#}
{% macro fill_scratch(relation, columns, select_sql, file_format, statement_name, settings={}) %}
  {% do afterimage.make_scratch(relation, columns, file_format) %}
  {% set insert -%}
insert into {{ relation }} (
    {{ afterimage.column_names(columns) }}
)
{{ select_sql }}
  {%- endset %}
  {% do afterimage.with_settings(statement_name, insert, settings) %}
{% endmacro %}


{#
  Makes a scratch table, empty. While it stands it keeps every other run off the model: one that finds it made by somebody else, whose Spark
  may be alive, is refused before it writes anything. Made once in a run; asked for again, it is the same one.

  In: as for fill_scratch.
  Plain Parquet where the session's catalog makes such, for a table of Delta costs a log of its own, written and read back. What is read once
  or twice is not worth compressing, or looking for repeated values.
#}
{% macro make_scratch(relation, columns, file_format) %}
  {% set own = invocation_id ~ ' of ' ~ run_started_at.strftime('%Y-%m-%d %H:%M:%S') ~ ' UTC by ' ~ afterimage.engine()['driver'] %}
  {% if relation in model.setdefault('afterimage_scratch', []) %}{{ return('') }}{% endif %}
  {% if adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier) is not none %}
    {% do afterimage.refuse_two_writers(relation, own) %}
    {% do afterimage.drop_if_there(relation) %}
  {% endif %}
  {% set format = 'parquet' if file_format == 'delta' else file_format %}
  {% set definitions = [] %}
  {% for column in columns %}{% do definitions.append(column['sql'] ~ ' ' ~ column['type']) %}{% endfor %}
  {# IF NOT EXISTS: of two runs that get here at once the catalog lets one make it, and the other sees whose it is #}
  {% set create -%}
create table if not exists {{ relation }} (
    {{ definitions | join(',\n    ') }}
)
using {{ format }}
{%- if format == 'parquet' %}
options ('parquet.compression' = 'uncompressed', 'parquet.enable.dictionary' = 'false')
{%- endif %}
tblproperties ({{ afterimage._property('owner', own) }})
  {%- endset %}
  {% do run_query(create) %}
  {% do afterimage.refuse_two_writers(relation, own) %}
  {% do adapter.cache_added(relation.incorporate(type='table')) %}
  {% do model['afterimage_scratch'].append(relation) %}
{% endmacro %}


{#
  Refuses to go on where a scratch table is that of another run which may be alive: its Spark is not known to be gone, and is not the one that
  lives in this process, where one run ends before the next begins.
  In: relation of the scratch table; own, what this run calls itself.
#}
{% macro refuse_two_writers(relation, own) %}
  {% set owner = afterimage.table_properties(relation).get('owner', '') %}
  {% do afterimage.forget_properties(relation) %}
  {% set driver = owner.partition(' UTC by ')[2] %}
  {% set is_ours = owner == own or (target.method == 'session' and driver == afterimage.engine()['driver']) %}
  {% if owner and not is_ours and not afterimage.driver_is_gone(driver) %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': another run is writing it: ' ~ owner ~ '. Nothing was written. Run it again when that one has ended. '
      ~ 'If that run was killed, and Spark there no longer carries out its last statement: drop table ' ~ relation ~ ', and run again.') %}
  {% endif %}
{% endmacro %}


{# Drops the scratch tables this run of the model made. #}
{% macro drop_scratch() %}
  {% for relation in model.pop('afterimage_scratch', []) %}{% do afterimage.drop_if_there(relation) %}{% endfor %}
{% endmacro %}


{#
  Drops the scratch tables of models that failed, so that nothing keeps the next run off. Called on-run-end; a run that was killed does not get
  here (see refuse_two_writers).
  In: results of the run.
#}
{% macro drop_scratch_of_failed(results) %}
  {% if not execute %}{{ return('') }}{% endif %}
  {% for result in results if result.status == 'error' and result.node.config.materialized in ['cdc_change_log', 'cdc_current'] %}
    {% for suffix in ['batch', 'known'] %}
      {% set scratch = adapter.get_relation(database=none, schema=result.node.schema, identifier=result.node.alias ~ '__' ~ suffix) %}
      {# one that another run made is why the model was refused #}
      {% if scratch is not none and invocation_id in run_query('show tblproperties ' ~ scratch).columns[1].values() | join(' ') %}
        {% do adapter.drop_relation(scratch) %}
      {% endif %}
    {% endfor %}
  {% endfor %}
  {{ return('') }}
{% endmacro %}
