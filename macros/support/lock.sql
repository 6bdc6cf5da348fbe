{#
  Acquires the lock of a model: creates its lock table, empty. While it exists, any other run is refused before it
  writes anything if the Spark that created the table may still be alive (docs/decisions/0016-two-runs-at-once.md). A
  lock of a finished run is dropped. dbt's list of tables is not consulted: it dates from the start of this run.
  drop_working_tables releases the lock.
  In: as for fill_working_table.
#}
{% macro acquire_lock(relation, columns, file_format) %}
  {% do afterimage.lock(relation, columns, file_format, model.name) %}
  {% do afterimage.set_attempt_id(file_format) %}
  {% do model.setdefault('afterimage_working_tables', []).append(relation) %}
  {% do afterimage.list_relation(relation) %}
{% endmacro %}


{# The same for a caller outside a model run (see maintain), which drops the table itself. In: also the model's name. #}
{% macro lock(relation, columns, file_format, name) %}
  {% set own = invocation_id ~ ' of ' ~ run_started_at.strftime('%Y-%m-%d %H:%M:%S') ~ ' UTC by ' ~ afterimage.driver_identity()['driver'] %}
  {% set owners = [] %}
  {% for attempt in [1, 2] if own not in owners %}
    {% do afterimage.ask('acquire the lock', afterimage.create_working_table(relation, columns, file_format, own)) %}
    {% do owners.append(afterimage.properties_in(afterimage.ask('read the owner of the lock', 'show tblproperties ' ~ relation).rows).get('owner', '')) %}
    {% if owners[-1] != own %}
      {% if attempt == 2 or afterimage._may_be_alive(owners[-1]) %}
        {% do exceptions.raise_compiler_error(
          '[afterimage] ' ~ name ~ ': another run is writing it: ' ~ owners[-1] ~ '. Nothing was written. Run it again when that one has ended. '
          ~ 'If that run was killed, and its Spark no longer executes a statement: drop table ' ~ relation ~ ', and run again.') %}
      {% endif %}
      {% do afterimage.ask('release the lock of an ended run', 'drop table if exists ' ~ relation) %}
    {% endif %}
  {% endfor %}
{% endmacro %}


{#
  Whether a run that may be alive holds the lock. Asks the catalog: dbt's list of tables dates from the start of this
  run.
#}
{% macro is_locked(relation) %}
  {{ return(afterimage._may_be_alive(afterimage.lock_owner(relation))) }}
{% endmacro %}


{# The run that created a lock table; empty without one. Asks the catalog. #}
{% macro lock_owner(relation) %}
  {# before a first run the companion schema does not exist, and may not be queried #}
  {% if relation.schema in afterimage._companion_schemas().values() and not adapter.check_schema_exists(relation.database, afterimage._as_kept(relation.schema)) %}
    {{ return('') }}
  {% endif %}
  {% if not run_query('show tables in ' ~ relation.include(identifier=false) ~ ' like ' ~ afterimage.literal(relation.identifier)).rows | length %}{{ return('') }}{% endif %}
  {{ return(afterimage.properties_unchecked(relation).get('owner', '')) }}
{% endmacro %}


{#
  Whether the run that holds the lock may still go on: its Spark is not known to be gone, and is not embedded in this
  process, where one run ends before the next begins.
#}
{% macro _may_be_alive(owner) %}
  {% set driver = owner.partition(' UTC by ')[2] %}
  {% set ours = afterimage.driver_identity() %}
  {% set is_ours = ours['is_embedded'] and driver and driver == ours['driver'] %}
  {{ return(owner and not is_ours and not afterimage.driver_is_gone(driver)) }}
{% endmacro %}
