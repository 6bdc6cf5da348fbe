{#
  Compares a table with its source and keeps the rows that differ in <model>__reconciled (see reconcile for its columns), replacing those of
  the last time. `afterimage reconcile` calls it.

      dbt run-operation afterimage.reconcile_table --args '{table: shop.orders, source_rows: shop_copy.orders}'

  In:  table, as source.table; source_rows, taken_from, taken_until, reached, exclude_columns, buckets: see reconcile, instants as text in UTC; samples,
       how many rows of each status to print. Reads the table's history, or its current state if it has no history and the instants are left out.
  Prints one line of JSON: {model, kept, reached, source_rows (their number), statuses: [{status, records, in_source}], columns: [{column_name,
       records}], samples, closings (see _closings; [] for a key that must not be shown), source_name, table_name, has_sensitive_key}.
  Raises for a table that is unknown or has not run, or has no history although instants are given.
#}
{% macro reconcile_table(table, source_rows, taken_from=none, taken_until=none, reached=none, exclude_columns=[], samples=10, buckets=none) %}
  {% set nodes = afterimage.models_of_table(table, 'reconcile') %}
  {% set node = nodes.get('cdc_history') or (nodes.get('cdc_current') if not taken_from) %}
  {% set versions = afterimage.listed_relation(afterimage.relation_of(node)) if node else none %}
  {% if versions is none %}
    {% do exceptions.raise_compiler_error('[afterimage] reconcile: ' ~ (node.name ~ ' has not run yet.' if node else table ~ ' has no history, which comparing with a past time needs.')) %}
  {% endif %}
  {% set contract = afterimage.contract_of_model(node) %}
  {% set has_sensitive_key = contract['key'] | select('in', contract['sensitive']) | list | length > 0 %}
  {% set reached = reached or afterimage.rows_as_json('select max(_cdc_source_ts) as newest from ' ~ versions ~ " where _cdc_op <> 'r'")[0]['newest'] if taken_from else none %}
  {% set kept = afterimage.companion_table(afterimage.relation_of(node), 'reconciled') %}
  {% set select_sql = afterimage.reconcile(
    versions, source_rows, afterimage._instant(taken_from), afterimage._instant(taken_until), afterimage._instant(reached or '0001-01-01 00:00:00'), exclude_columns, buckets) %}
  {% do afterimage.drop_if_there(kept) %}
  {% do afterimage.ask('keep the rows that differ from the source', 'create table ' ~ kept ~ ' using ' ~ afterimage.table_format(afterimage.file_format_of(node))['working_table']['format']
                       ~ ' as\nselect * from (\n' ~ select_sql ~ "\n) as reconciled\nwhere status <> 'identical'") %}
  {% do print(tojson({
    'model': node.name,
    'kept': kept | string,
    'reached': reached,
    'source_rows': afterimage.rows_as_json('select count(*) as records from ' ~ source_rows)[0]['records'],
    'statuses': afterimage.rows_as_json('select status, count(*) as records, count_if(source_values is not null) as in_source from ' ~ kept ~ ' group by status order by status'),
    'columns': afterimage.rows_as_json('select column_name, count(*) as records from ' ~ kept ~ ' lateral view explode(differing_columns) as column_name group by column_name order by records desc, column_name'),
    'samples': afterimage.rows_as_json('select * except (place) from (select *, row_number() over (partition by status order by row_key) as place from ' ~ kept ~ ') as numbered where place <= ' ~ samples | int ~ ' order by status, row_key'),
    'closings': afterimage._closings(kept, nodes.get('cdc_change_log'), taken_until) if taken_from and not has_sensitive_key else [],
    'source_name': contract['source_name'],
    'table_name': contract['table_name'],
    'has_sensitive_key': has_sensitive_key,
  })) %}
{% endmacro %}


{#
  Where the rows end that only the model has: at the newest change of each, until the source was read, also one that made no version. Out: list of
  {row_key, position}.
#}
{% macro _closings(kept, change_log_node, taken_until) %}
  {% set change_log = afterimage.listed_relation(afterimage.relation_of(change_log_node)) if change_log_node else none %}
  {% set removed = 'select row_key, position from ' ~ kept ~ " where status = 'removed'" %}
  {% if change_log is none %}{{ return(afterimage.rows_as_json(removed ~ ' order by row_key')) }}{% endif %}
  {% set epochs = afterimage.operator_state_in(afterimage.table_properties(change_log))['epochs'] %}
  {{ return(afterimage.rows_as_json(
    'select removed.row_key, greatest(removed.position, max(' ~ afterimage.in_epoch('changes._cdc_position', 'changes._cdc_landed_ts', epochs) ~ ')) as position from (' ~ removed
    ~ ') as removed left join ' ~ change_log ~ ' as changes on changes._cdc_key = removed.row_key and ' ~ afterimage.is_of_source('changes._cdc_op') ~ ' and changes._cdc_source_ts <= '
    ~ afterimage._instant(taken_until) ~ ' group by removed.row_key, removed.position order by removed.row_key')) }}
{% endmacro %}


{# An instant given as text in UTC -> SQL; none stays none. #}
{% macro _instant(text) %}
  {{ return('timestamp ' ~ afterimage.literal(text | replace('T', ' ') | replace('Z', '') ~ ' UTC') if text else none) }}
{% endmacro %}
