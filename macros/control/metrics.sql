{#
  The metrics of a connector that landing can provide, by the connector's own names (JMX). docs/reference/metrics.md
  says where each of them comes from, or why it is not available.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read;
       snapshots, schema_changes: relations made by the macros of these names, and signals, by afterimage.signals;
       without one of them its metrics are missing.
  Out: a select, one row for each metric:
    source_name, connector (topic_prefix)
    context             streaming, snapshot, schema-history, as in the name of the MBean
    table_name          for counts per table; NULL for the connector
    metric, value       value as text
    since               start: since the connector last started, if records name its run; landing: since the first
                        record that landed
  A connector resets its counts when it restarts. Events that were delivered twice are counted once.
  Source: Debezium documentation, "monitoring" of each connector (001:3230 and the same of the others).
#}
{% macro metrics(change_logs, landings, snapshots=none, schema_changes=none, signals=none) -%}
{{ afterimage.refuse_long_view(afterimage._metrics(change_logs, landings, snapshots, schema_changes, signals)) if execute }}
{%- endmacro %}


{% macro _metrics(change_logs, landings, snapshots, schema_changes, signals) -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
  {% set contract = contracts[0] -%}
  {% set position_metrics = afterimage.connector(contract).get('position_metrics', []) -%}
  {% set topics = afterimage.side_topics_of(contracts, 'transaction') -%}
{% set metric_columns = ['connector', 'context', 'table_name', 'since', 'metric', 'value'] -%}
-- metrics of {{ contract['source_name'] }}, made by afterimage.metrics
with

{% if topics -%}
{{ afterimage.control_records(landings, contract, topics) }}

{% endif -%}
changes as (
    {%- for change_log in change_logs %}
    select
        {{ afterimage.literal(afterimage._prefix_of(contracts[loop.index0])) }} as connector,
        {{ afterimage.literal(contracts[loop.index0]['table_name']) }} as table_name,
        if(_cdc_op = 'r', 'snapshot', 'streaming') as context,
        _cdc_op as op,
        _cdc_position as position,
        _cdc_tx_id as tx_id,
        _cdc_source_table as source_table,
        _cdc_source_ts as source_ts,
        _cdc_processed_ts as processed_ts,
        _cdc_landed_ts as landed_ts,
        _cdc_connector_run as connector_run,
        concat_ws(' ', _cdc_topic, concat(_cdc_partition, ':', _cdc_offset), _cdc_op) as shown,
        -- in the order they were processed
        concat_ws('.', lpad(unix_micros(coalesce(_cdc_processed_ts, _cdc_landed_ts)), 20, '0'), _cdc_order) as place
    from {{ change_log }}
    where {{ afterimage.is_of_source() }}
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

newest_runs as (
    -- the connector's newest run, where records name it
    select
        connector,
        max_by(connector_run, place) as newest_run
    from changes
    group by connector
),

with_run as (
    select
        changes.*,
        coalesce(changes.connector_run = newest_runs.newest_run, false) as is_of_last_run
    from changes
    left join newest_runs on changes.connector = newest_runs.connector
),

of_tables as (
    select
        connector,
        context,
        table_name,
        is_of_last_run,
        count(*) as seen,
        count_if(op = 'c') as created,
        count_if(op = 'u') as updated,
        count_if(op = 'd') as deleted,
        max(struct(place, shown, position, tx_id, timestampdiff(millisecond, source_ts, processed_ts) as behind)) as newest,
        max(coalesce(processed_ts, landed_ts)) as newest_at,
        collect_set(source_table) as captured
    from with_run
    group by connector, context, table_name, is_of_last_run
),

counted as (
    select
        connector,
        context,
        table_name,
        since,
        sum(seen) as seen,
        sum(created) as created,
        sum(updated) as updated,
        sum(deleted) as deleted,
        max(newest).shown as last_event,
        max(newest).position as position,
        max(newest).tx_id as tx_id,
        max(newest).behind as behind,
        timestampdiff(millisecond, max(newest_at), current_timestamp()) as quiet,
        array_join(array_sort(array_distinct(flatten(collect_list(captured)))), ',') as captured
    from of_tables
        lateral view explode(if(is_of_last_run, array('start', 'landing'), array('landing'))) as since
    group by grouping sets ((connector, context, since), (connector, context, since, table_name))
),

of_changes as (
    select
        {{ metric_columns | join(',\n        ') }}
    from counted
        lateral view stack(
            10,
            'TotalNumberOfEventsSeen', cast(seen as string),
            'TotalNumberOfCreateEventsSeen', if(context = 'streaming', cast(created as string), null),
            'TotalNumberOfUpdateEventsSeen', if(context = 'streaming', cast(updated as string), null),
            'TotalNumberOfDeleteEventsSeen', if(context = 'streaming', cast(deleted as string), null),
            'LastEvent', last_event,
            'MilliSecondsSinceLastEvent', cast(quiet as string),
            'MilliSecondsBehindSource', if(context = 'streaming', cast(behind as string), null),
            'SourceEventPosition', if(context = 'streaming', position, null),
            'LastTransactionId', if(context = 'streaming', tx_id, null),
            'CapturedTables', captured
        ) as metric, value
    where value is not null
),

{% if topics -%}
ends as (
    -- a topic found by its name may not exist
    select count(distinct get_json_object(record_value, '$.id')) as transactions
    from control_records
    where get_json_object(record_value, '$.status') = 'END'
    having count(*) > 0
),

{% endif -%}
of_transactions as (
    {%- if topics %}
    select
        {{ afterimage.literal(afterimage._prefix_of(contract)) }} as connector,
        'streaming' as context,
        cast(null as string) as table_name,
        'landing' as since,
        'NumberOfCommittedTransactions' as metric,
        cast(transactions as string) as value
    from ends
    union all
    {%- endif %}
    select
        named.connector,
        'streaming' as context,
        cast(null as string) as table_name,
        counted_from.since,
        'NumberOfCommittedTransactions' as metric,
        cast(count(*) as string) as value
    from (
        select
            connector,
            tx_id,
            bool_or(is_of_last_run) as is_of_last_run
        from with_run
        where context = 'streaming' and tx_id is not null
        group by connector, tx_id
    ) as named
    {%- if topics %}
    left anti join ends on true
    {%- endif %}
        lateral view explode(if(named.is_of_last_run, array('start', 'landing'), array('landing'))) counted_from as since
    group by named.connector, counted_from.since
)
{%- if position_metrics %},

of_binlog as (
    -- the file's name is not kept, only its number
    select
        {{ metric_columns | join(',\n        ') }}
    from counted
        lateral view stack(
            {{ position_metrics | length }},
            {%- for name in position_metrics %}
            '{{ name }}', cast(try_cast(split_part(position, '.', {{ loop.index }}) as bigint) as string){{ ',' if not loop.last }}
            {%- endfor %}
        ) as metric, value
    where context = 'streaming' and table_name is null
)
{%- endif %}
{%- if snapshots %},

newest_run as (
    select
        *,
        max(struct(run_started_at, run)) over (partition by connector_name) as newest
    from {{ snapshots }}
),

run_counted as (
    select
        connector_name as connector,
        count(collection) as tables,
        count_if(collection is not null and state not in ('completed', 'failed')) as remaining,
        bool_or(state in ('in progress', 'waiting')) as is_running,
        bool_or(state = 'paused') as is_paused,
        bool_or(state = 'aborted') as is_aborted,
        bool_or(state = 'skipped') as is_skipped,
        bool_and(state in ('completed', 'failed')) as is_completed,
        timestampdiff(second, min(run_started_at), max(coalesce(run_ended_at, newest_at))) as seconds,
        max(paused_seconds) as paused_seconds,
        to_json(map_from_entries(collect_list(if(rows_scanned is null, null, struct(collection, rows_scanned))))) as scanned,
        max_by(chunk_from, newest_at) as chunk_from,
        max_by(last_processed_key, newest_at) as chunk_to,
        max_by(maximum_key, newest_at) as table_to
    from newest_run
    where struct(run_started_at, run) = newest
    group by connector_name
),

of_snapshots as (
    select
        connector,
        'snapshot' as context,
        cast(null as string) as table_name,
        'start' as since,
        metric,
        value
    from run_counted
        lateral view stack(
            13,
            'TotalTableCount', cast(tables as string),
            'RemainingTableCount', cast(remaining as string),
            'SnapshotRunning', cast(is_running as string),
            'SnapshotPaused', cast(is_paused as string),
            'SnapshotAborted', cast(is_aborted as string),
            'SnapshotSkipped', cast(is_skipped as string),
            'SnapshotCompleted', cast(is_completed as string),
            'SnapshotDurationInSeconds', cast(seconds as string),
            'SnapshotPausedDurationInSeconds', cast(paused_seconds as string),
            'RowsScanned', scanned,
            'ChunkFrom', chunk_from,
            'ChunkTo', chunk_to,
            'TableTo', table_to
        ) as metric, value
    where value is not null
)
{%- endif %}
{%- if signals %},

of_chunks as (
    -- the rows the connector writes around a chunk carry its name
    select
        {{ afterimage.literal(afterimage._prefix_of(contract)) }} as connector,
        'snapshot' as context,
        cast(null as string) as table_name,
        'start' as since,
        'ChunkId' as metric,
        regexp_replace(max_by(id, struct(signalled_at, offset)), '-(open|close)$', '') as value
    from {{ signals }}
    where kind = 'watermark'
    having count(*) > 0
)
{%- endif %}
{%- if schema_changes %},

applied as (
    select
        count(distinct struct(topic, partition, offset, landed_at)) as changes,
        max_by(coalesce(ddl, concat_ws(' ', change, table_in_source)), struct(concat(epoch, coalesce(position, '')), landed_at, offset)) as newest,
        timestampdiff(millisecond, max(coalesce(processed_at, landed_at)), current_timestamp()) as quiet
    from {{ schema_changes }}
    where fault is null
    having count(*) > 0
),

of_schema_changes as (
    select
        {{ afterimage.literal(afterimage._prefix_of(contract)) }} as connector,
        'schema-history' as context,
        cast(null as string) as table_name,
        'landing' as since,
        metric,
        value
    from applied
        lateral view stack(
            3,
            'ChangesApplied', cast(changes as string),
            'LastAppliedChange', newest,
            'MilliSecondsSinceLastAppliedChange', cast(quiet as string)
        ) as metric, value
)
{%- endif %}

select
    {{ afterimage.literal(contract['source_name']) }} as source_name,
    connector,
    context,
    table_name,
    metric,
    value,
    since
from (
    select * from of_changes
    union all
    select * from of_transactions
    {%- if position_metrics %}
    union all
    select * from of_binlog
    {%- endif %}
    {%- if snapshots %}
    union all
    select * from of_snapshots
    {%- endif %}
    {%- if signals %}
    union all
    select * from of_chunks
    {%- endif %}
    {%- if schema_changes %}
    union all
    select * from of_schema_changes
    {%- endif %}
) as all_metrics
{%- endmacro %}
