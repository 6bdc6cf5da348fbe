{#
  Replaces a Parquet table by a copy, by two renames. Nothing may read or write it meanwhile; restore_swapped repairs an interruption.
  In: operation, its name; table; rows, the select of the copy; known, the state that the table had when the operation began; state, that of the copy;
  properties of the model; lock, dropped where the copy is not used, or none.
#}
{% macro replace_by_copy(operation, table, rows, known, state, properties, lock) %}
  {# a rename stays within a schema #}
  {% set compacted, former = afterimage.companion_name(table, '__compacted'), afterimage.companion_name(table, '__swapped') %}
  {# CREATE TABLE … LIKE copies no properties #}
  {% set properties = afterimage.configured_properties(properties) %}
  {% for name, value in state.items() %}{% do properties.append(afterimage.property_assignment(name, value)) %}{% endfor %}
  {% do run_query('drop table if exists ' ~ compacted) %}
  {% do run_query('create table ' ~ compacted ~ ' like ' ~ table) %}
  {% if properties %}{% do run_query('alter table ' ~ compacted ~ ' set tblproperties (' ~ properties | join(', ') ~ ')') %}{% endif %}
  {% do run_query('insert into ' ~ compacted ~ ' ' ~ rows) %}
  {% set counted = run_query('select (select count(*) from (' ~ rows ~ ')), (select count(*) from ' ~ compacted ~ ')').rows[0] %}
  {% if counted[0] != counted[1] or afterimage.properties_unchecked(table) != known %}
    {% do run_query('drop table ' ~ compacted) %}
    {% if lock %}{% do run_query('drop table if exists ' ~ lock) %}{% endif %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ operation ~ ': ' ~ table ~ ' changed during maintenance and was left unchanged; run ' ~ operation ~ ' again when no run writes it.') %}
  {% endif %}
  {% do run_query('alter table ' ~ table ~ ' rename to ' ~ former) %}
  {% do run_query('alter table ' ~ compacted ~ ' rename to ' ~ table) %}
  {% do run_query('drop table ' ~ former) %}
{% endmacro %}


{#
  Restores tables that an interrupted `maintain` was about to replace with a copy, and drops its other leftovers.
  Called on-run-start.
  Tables of a maintenance that may still run are left alone: its lock table exists.
  Reads dbt's own list of tables, so it costs nothing when there is nothing to restore.
#}
{% macro restore_swapped() %}
  {% if not execute or afterimage.is_only_compiled() %}{{ return('') }}{% endif %}
  {% for node in graph.nodes.values() if node.config.materialized in afterimage.kept_tables() and afterimage.file_format_of(node) == 'parquet' %}
    {% set built = afterimage.relation_of(node) %}
    {% for kept in afterimage.tables_of(node) %}
      {% set table = kept.incorporate(type='table') %}
      {% set former = afterimage.listed_relation(afterimage.companion_name(table, '__swapped')) %}
      {% set copy = afterimage.listed_relation(afterimage.companion_name(table, '__compacted')) %}
      {% if (former or copy) and afterimage.is_locked(afterimage.companion_table(built, 'batch')) %}
        {% do afterimage.say(table ~ ' is skipped: its maintenance holds the lock') %}
        {% set former, copy = none, none %}
      {% endif %}
      {% if former is not none and afterimage.listed_relation(table) is none %}
        {% do afterimage.say(table ~ ' is restored: its maintenance was interrupted') %}
        {% do adapter.rename_relation(former, table) %}
      {% elif former is not none %}
        {% do adapter.drop_relation(former) %}
      {% endif %}
      {% if copy is not none %}{% do adapter.drop_relation(copy) %}{% endif %}
    {% endfor %}
  {% endfor %}
  {{ return('') }}
{% endmacro %}
