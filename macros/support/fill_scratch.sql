{#
  Makes a table that lives within one run, and fills it. (One that hold_scratch made is only filled.)

  In:  relation; columns, a list of {name, sql, type} in the order of the select; the select; the model's file format; the name of the
       statement that fills it; settings of the session for it (see with_settings).
  Made first and filled then, not by CREATE TABLE … AS: when a run is killed while it writes, the files of a table that is not there yet
  would be in the way of every later run ([LOCATION_ALREADY_EXISTS]); those of one that is there go when it is dropped.
#}
{% macro fill_scratch(relation, columns, select_sql, file_format, statement_name, settings={}) %}
  {% if relation not in model.setdefault('afterimage_scratch', []) %}
    {% do afterimage.drop_if_there(relation) %}
    {% do run_query(afterimage._create_scratch(relation, columns, file_format)) %}
    {% do adapter.cache_added(relation.incorporate(type='table')) %}
    {% do model['afterimage_scratch'].append(relation) %}
  {% endif %}
  {% set insert -%}
insert into {{ relation }} (
    {{ afterimage.column_names(columns) }}
)
{{ select_sql }}
  {%- endset %}
  {% do afterimage.with_settings(statement_name, insert, settings) %}
{% endmacro %}


{#
  Makes a scratch table, empty, and with it keeps every other run off the model for as long as it stands: one that finds it made by somebody
  else, whose Spark may be alive, is refused before it writes anything (docs/decisions/0016-two-runs-at-once.md).
  What was left by a run that is over is dropped. dbt's list of tables is not asked: it is as old as this run.
  In: as for fill_scratch.
#}
{% macro hold_scratch(relation, columns, file_format) %}
  {% do afterimage.hold(relation, columns, file_format, model.name) %}
  {% do model.setdefault('afterimage_scratch', []).append(relation) %}
  {% do adapter.cache_added(relation.incorporate(type='table')) %}
{% endmacro %}


{# The same for whoever is no run of a model (see maintain) and drops the table itself. In: also the model's name. #}
{% macro hold(relation, columns, file_format, name) %}
  {% set own = invocation_id ~ ' of ' ~ run_started_at.strftime('%Y-%m-%d %H:%M:%S') ~ ' UTC by ' ~ afterimage.engine()['driver'] %}
  {% set owners = [] %}
  {% for attempt in [1, 2] if own not in owners %}
    {% do run_query(afterimage._create_scratch(relation, columns, file_format, own)) %}
    {% do owners.append(afterimage.properties_in(run_query('show tblproperties ' ~ relation).rows).get('owner', '')) %}
    {% if owners[-1] != own %}
      {% if attempt == 2 or afterimage._may_be_alive(owners[-1]) %}
        {% do exceptions.raise_compiler_error(
          '[afterimage] ' ~ name ~ ': another run is writing it: ' ~ owners[-1] ~ '. Nothing was written. Run it again when that one has ended. '
          ~ 'If that run was killed, and Spark there no longer carries out its last statement: drop table ' ~ relation ~ ', and run again.') %}
      {% endif %}
      {% do run_query('drop table if exists ' ~ relation) %}
    {% endif %}
  {% endfor %}
{% endmacro %}


{# Whether somebody who may be alive holds a scratch table. Asks the catalog: dbt's list of tables is as old as this run. #}
{% macro is_held(relation) %}
  {{ return(afterimage._may_be_alive(afterimage.scratch_owner(relation))) }}
{% endmacro %}


{# Who made a scratch table, as hold wrote it; empty where there is none. Asks the catalog. #}
{% macro scratch_owner(relation) %}
  {% if not run_query('show tables in ' ~ relation.schema ~ ' like ' ~ afterimage.literal(relation.identifier)).rows | length %}{{ return('') }}{% endif %}
  {{ return(afterimage.properties_in(run_query('show tblproperties ' ~ relation).rows).get('owner', '')) }}
{% endmacro %}


{#
  Plain Parquet where the session's catalog makes such, for a table of Delta costs a log of its own, written and read back. What is read once
  or twice is not worth compressing, looking for repeated values, or (Iceberg) keeping the lowest and highest of each column.
  With an owner IF NOT EXISTS: of two runs that get here at once the catalog lets one make it, and the other sees whose it is.
#}
{% macro _create_scratch(relation, columns, file_format, owner=none) %}
  {% set format = 'parquet' if file_format == 'delta' else file_format %}
  {% set definitions = [] %}
  {% for column in columns %}{% do definitions.append(column['sql'] ~ ' ' ~ column['type']) %}{% endfor %}
  {% set properties = [afterimage._property('owner', owner)] if owner else [] %}
  {% if format == 'iceberg' %}
    {% do properties.extend(afterimage.configured_properties({
      'write.parquet.compression-codec': 'uncompressed', 'parquet.enable.dictionary': 'false', 'write.metadata.metrics.default': 'none'})) %}
  {% endif %}
  {% set create -%}
create table {{ 'if not exists ' if owner }}{{ relation }} (
    {{ definitions | join(',\n    ') }}
)
using {{ format }}
{%- if format == 'parquet' %}
options ('parquet.compression' = 'uncompressed', 'parquet.enable.dictionary' = 'false')
{%- endif %}
{%- if properties %}
tblproperties ({{ properties | join(', ') }})
{%- endif %}
  {%- endset %}
  {{ return(create) }}
{% endmacro %}


{#
  Whether the run that made a scratch table may go on: its Spark is not known to be gone, and is not the one that lives in this process, where
  one run ends before the next begins.
#}
{% macro _may_be_alive(owner) %}
  {% set driver = owner.partition(' UTC by ')[2] %}
  {% set engine = afterimage.engine() %}
  {% set is_ours = engine['is_embedded'] and driver and driver == engine['driver'] %}
  {{ return(owner and not is_ours and not afterimage.driver_is_gone(driver)) }}
{% endmacro %}


{# Drops the scratch tables this run of the model made; the one that keeps others off was made first, and goes last. #}
{% macro drop_scratch() %}
  {% for relation in model.pop('afterimage_scratch', []) | reverse %}{% do afterimage.drop_if_there(relation) %}{% endfor %}
{% endmacro %}


{#
  Drops the scratch tables of models that did not come to their end, so that nothing keeps the next run off. Called on-run-end; a run that was
  killed does not get here (see hold_scratch). One that another run made is why the model was refused, and stays.
  In: results of the run.
#}
{% macro drop_scratch_of_failed(results) %}
  {% if not execute %}{{ return('') }}{% endif %}
  {% for result in results if result.status != 'success' and result.node.config.materialized in afterimage.kept_tables() %}
    {# __batch says whose they are, and goes last: while it stands nobody else makes a __known #}
    {% set batch, known = result.node.alias ~ '__batch', result.node.alias ~ '__known' %}
    {% if afterimage.scratch_owner(api.Relation.create(schema=result.node.schema, identifier=batch)).startswith(invocation_id) %}
      {% for name in [known, batch] %}
        {% do adapter.drop_relation(api.Relation.create(schema=result.node.schema, identifier=name, type='table')) %}
      {% endfor %}
    {% endif %}
  {% endfor %}
  {{ return('') }}
{% endmacro %}
