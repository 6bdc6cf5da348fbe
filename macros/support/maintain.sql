{#
  Bounds the number of files and of old versions of the tables of this package's models. No model's rows change.

      dbt run-operation afterimage.maintain
      dbt run-operation afterimage.maintain --args '{models: [stg_shop__orders], keep_hours: 240}'

  In:  models, names, all by default; keep_hours, how far back readers can still time travel (Delta and Iceberg, which
       refuse less than 168 and 24 hours).
    Delta    OPTIMIZE, then VACUUM
    Iceberg  the procedures rewrite_data_files, expire_snapshots, remove_orphan_files (of the table's catalog)
    the log of a history, first: reduced to its active versions, in one step; likewise the log of a current state,
    which only Parquet has
    Parquet  a copy in few files replaces the table by two renames; the model's next run repairs an interruption
             between them (see restore_swapped). Nothing may read the table meanwhile.
  No run may write a Parquet table meanwhile, nor the log of a history while it loses rows: maintain acquires the lock
  as a run does (see acquire_lock).
#}
{% macro maintain(models=none, keep_hours=168) %}
  {% set nodes = graph.nodes.values() | selectattr('config.materialized', 'in', afterimage.kept_tables()) | list %}
  {% for name in models or [] if name not in nodes | map(attribute='name') %}
    {% do exceptions.raise_compiler_error('[afterimage] maintain: ' ~ name ~ ' is no change log, history or current state of this project.') %}
  {% endfor %}
  {% do afterimage.restore_swapped() %}
  {% set behind = [] %}
  {% for node in nodes if models is none or node.name in models %}
    {% set file_format = afterimage.file_format_of(node) %}
    {% set built = afterimage.relation_of(node) %}
    {% set lock = afterimage.companion_table(built, 'batch') %}
    {# Delta and Iceberg compact during a run; but the log of a history loses rows, and Iceberg's overwrite would
       also remove what a run appends #}
    {% set must_hold = file_format == 'parquet' or node.config.materialized == 'cdc_history' %}
    {% set held = [lock] if must_hold else [] %}
    {% for table in held %}{% do afterimage.lock(table, [{'sql': '_cdc_key', 'type': 'string'}], file_format, node.name) %}{% endfor %}
    {% for kept in afterimage.tables_of(node) %}
      {% set table = afterimage.listed_relation(kept) %}
      {% set is_log = kept in afterimage.logs_of(built) %}
      {# the model's next run that writes drops a log that no view reads #}
      {% set is_kept = table is not none and (not is_log or kept == afterimage.log_of(built)) %}
      {% if is_kept and is_log and afterimage._view_is_behind(table, built) %}
        {% do behind.append(node.name) %}
      {% elif is_kept %}
        {% if node.config.materialized == 'cdc_history' %}{% do afterimage._settle_log(table, node) %}{% endif %}
        {% if file_format != 'parquet' %}{% do afterimage._release(held) %}{% endif %}
        {% if table.is_delta %}{% do afterimage._maintain_delta(table, keep_hours) %}
        {% elif table.is_iceberg %}{% do afterimage._maintain_iceberg(table, keep_hours) %}
        {% elif file_format == 'parquet' %}{% do afterimage._maintain_parquet(table, node, lock) %}
        {% else %}
          {% do exceptions.raise_compiler_error(
            '[afterimage] maintain: ' ~ node.name ~ ': ' ~ table ~ ' is not maintained: it is neither Delta nor Iceberg, and its file_format is ' ~ file_format
            ~ '. Where it was made with another file_format, build it once with --full-refresh; else name the other models: --args \'{models: […]}\'.') %}
        {% endif %}
        {% do afterimage.say('maintained ' ~ table) %}
      {% endif %}
    {% endfor %}
    {% do afterimage._release(held) %}
  {% endfor %}
  {% if behind %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] maintain: skipped, because their last run was interrupted and rows that their views read could be removed: ' ~ behind | join(', ')
      ~ '. Run these models, then maintain again.') %}
  {% endif %}
{% endmacro %}


{# Releases the locks: drops each table of the list and empties the list. #}
{% macro _release(held) %}
  {% for lock in held %}{% do run_query('drop table if exists ' ~ lock) %}{% endfor %}
  {% do held.clear() %}
{% endmacro %}


{# The tables that such a model keeps, or may keep. #}
{% macro tables_of(node) %}
  {% set built = afterimage.relation_of(node) %}
  {% set has_table = afterimage.table_format(afterimage.file_format_of(node))['merge'] %}
  {% set kept = {'cdc_change_log': [built, afterimage.companion_table(built, 'ledger')], 'cdc_history': afterimage.logs_of(built)} %}
  {{ return(kept.get(node.config.materialized) or ([built] if has_table else afterimage.logs_of(built))) }}
{% endmacro %}


{#
  Whether the model's view reads fewer appends than its log has: a run was interrupted between the two. Maintenance
  could then remove rows that the view reads.
#}
{% macro _view_is_behind(log, view) %}
  {% set through = afterimage.properties_unchecked(log).get('append', 0) | int %}
  {{ return(afterimage.properties_of_view(view).get('append', 0) | int != through) }}
{% endmacro %}


{#
  Records in a history's log that replaced versions are gone, before it removes them (a current state that has not
  processed them all is then rebuilt), and on Delta and Iceberg removes them. On Parquet the copy omits them (see
  _maintain_parquet).
#}
{% macro _settle_log(table, node) %}
  {% set through = afterimage.properties_unchecked(table).get('append', 0) | int %}
  {% do run_query('alter table ' ~ table ~ ' set tblproperties (' ~ afterimage.property_assignment('settled', through) ~ ')') %}
  {% if table.is_delta or table.is_iceberg %}
    {% do run_query('insert overwrite table ' ~ table ~ ' ' ~ afterimage._active_versions_of(table, node)) %}
    {% do run_query('alter table ' ~ table ~ ' set tblproperties (' ~ afterimage.property_assignment('clean', through) ~ ', ' ~ afterimage.property_assignment('replaced', 0) ~ ')') %}
  {% endif %}
{% endmacro %}


{# The active rows of a history's log, which nothing replaces any more, in the order of its columns. #}
{% macro _active_versions_of(table, node) %}
  {% set through = afterimage.properties_unchecked(table).get('append', 0) | int %}
  {% set names = [] %}
  {% for column in adapter.get_columns_in_relation(table) %}
    {% do names.append('cast(null as string)' if column.name == '_cdc_replaces_from' else afterimage.identifier(column.name)) %}
  {% endfor %}
  {% set active = afterimage.active_versions(table, afterimage.contract_of_model(node), through, ['_cdc_kind', '_cdc_end_order', '_cdc_append']) %}
  {{ return('select /*+ rebalance */ ' ~ names | join(', ') ~ ' from (' ~ active ~ ') as standing') }}
{% endmacro %}


{#
  The active rows of a current state's log, in the order of its columns, all numbered as the complete append: so the
  existing view reads all of them.
#}
{% macro _active_rows_of(table, known) %}
  {% set appends = afterimage.state_appends(known) %}
  {% set columns, names = [], [] %}
  {% for column in adapter.get_columns_in_relation(table) %}
    {% set name = afterimage.identifier(column.name) %}
    {% if column.name not in ['_cdc_is_gone', 'cdc_append'] %}{% do columns.append({'sql': name}) %}{% endif %}
    {% do names.append({'_cdc_is_gone': 'false', 'cdc_append': 'cast(' ~ appends['whole'] ~ ' as bigint)'}.get(column.name, name)) %}
  {% endfor %}
  {% set active = afterimage.active_rows(table, columns, appends) %}
  {{ return('select /*+ rebalance */ ' ~ names | join(', ') ~ ' from (' ~ active ~ ') as standing') }}
{% endmacro %}


{% macro _maintain_delta(table, keep_hours) %}
  {% do run_query('optimize ' ~ table) %}
  {% do run_query('vacuum ' ~ table ~ ' retain ' ~ keep_hours ~ ' hours') %}
{% endmacro %}


{% macro _maintain_iceberg(table, keep_hours) %}
  {% set catalog = run_query('select current_catalog()').rows[0][0] %}
  {% set named = "table => '" ~ table.schema ~ '.' ~ table.identifier ~ "'" %}
  {# by default the procedure skips fewer than five small files, and files with replaced rows (merged_in_place) #}
  {% do run_query('call ' ~ catalog ~ '.system.rewrite_data_files(' ~ named ~ ", options => map('min-input-files', '2', 'delete-file-threshold', '1', 'remove-dangling-deletes', 'true'))") %}
  {# files of a write that has not ended look like orphans: Iceberg refuses to remove younger ones #}
  {% for procedure, hours in {'expire_snapshots': keep_hours, 'remove_orphan_files': [keep_hours, 24] | max}.items() %}
    {% set before = run_query("select date_format(current_timestamp() - make_dt_interval(0, " ~ hours ~ "), 'yyyy-MM-dd HH:mm:ss.SSS')").rows[0][0] %}
    {% do run_query('call ' ~ catalog ~ '.system.' ~ procedure ~ '(' ~ named ~ ", older_than => timestamp '" ~ before ~ "')") %}
  {% endfor %}
{% endmacro %}


{% macro _maintain_parquet(table, node, lock) %}
  {% set known = afterimage.properties_unchecked(table) %}
  {% set through = known.get('append', 0) %}
  {% set clean = {'cdc_history': {'clean': through, 'replaced': 0}, 'cdc_current': {'replaced': 0}} %}
  {% set rows = afterimage._active_versions_of(table, node) if node.config.materialized == 'cdc_history'
                else afterimage._active_rows_of(table, known) if node.config.materialized == 'cdc_current'
                else 'select /*+ rebalance */ * from ' ~ table %}
  {% do afterimage.replace_by_copy('maintain', table, rows, known, dict(known, **clean.get(node.config.materialized, {})), node.config.get('tblproperties') or {}, lock) %}
{% endmacro %}
