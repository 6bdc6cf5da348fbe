-- metrics of shop, made by afterimage.metrics
with

new_records as (
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        if(
            startswith(cast(key as string), '"{'),
            coalesce(get_json_object(concat('[', cast(key as string), ']'), '$[0]'), cast(key as string)),
            cast(key as string)
        ) as record_key,
        if(
            startswith(cast(value as string), '"{'),
            coalesce(get_json_object(concat('[', cast(value as string), ']'), '$[0]'), cast(value as string)),
            cast(value as string)
        ) as record_value
    from landing.shop_events
    where topic = 'pg1.transaction'
),

control_records as (
    -- a record that landed twice counts once
    select
        topic,
        partition,
        offset,
        timestamp,
        parsed.record_key,
        parsed.record_value
    from (
        select
            topic,
            partition,
            offset,
            timestamp,
            any_value(struct(
                if(
                    get_json_object(record_key, '$.schema.type') is not null
                    or record_key rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":',
                    get_json_object(record_key, '$.payload'),
                    record_key
                ) as record_key,
                if(
                    get_json_object(record_value, '$.schema.type') is not null
                    or record_value rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":',
                    get_json_object(record_value, '$.payload'),
                    record_value
                ) as record_value
            )) as parsed
        from new_records
        group by topic, partition, offset, timestamp
    ) as once
),

changes as (
    select
        'pg1' as connector,
        'carts' as table_name,
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
    from afterimage.stg_shop__carts
    where _cdc_op <> 'o'
    union all
    select
        'pg1' as connector,
        'orders' as table_name,
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
    from afterimage.stg_shop__orders
    where _cdc_op <> 'o'
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
        max(
            struct(place, shown, position, tx_id, timestampdiff(millisecond, source_ts, processed_ts) as behind)
        ) as newest,
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
        connector,
        context,
        table_name,
        since,
        metric,
        value
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

ends as (
    -- a topic found by its name may not exist
    select count(distinct get_json_object(record_value, '$.id')) as transactions
    from control_records
    where get_json_object(record_value, '$.status') = 'END'
    having count(*) > 0
),

of_transactions as (
    select
        'pg1' as connector,
        'streaming' as context,
        cast(null as string) as table_name,
        'landing' as since,
        'NumberOfCommittedTransactions' as metric,
        cast(transactions as string) as value
    from ends
    union all
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
    left anti join ends on true
        lateral view explode(
            if(named.is_of_last_run, array('start', 'landing'), array('landing'))
        ) counted_from as since
    group by named.connector, counted_from.since
),

newest_run as (
    select
        *,
        max(struct(run_started_at, run)) over (partition by connector_name) as newest
    from afterimage.stg_shop__orders
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
        to_json(
            map_from_entries(collect_list(if(rows_scanned is null, null, struct(collection, rows_scanned))))
        ) as scanned,
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
),

of_chunks as (
    -- the rows the connector writes around a chunk carry its name
    select
        'pg1' as connector,
        'snapshot' as context,
        cast(null as string) as table_name,
        'start' as since,
        'ChunkId' as metric,
        regexp_replace(max_by(id, struct(signalled_at, offset)), '-(open|close)$', '') as value
    from afterimage.stg_shop__customers
    where kind = 'watermark'
    having count(*) > 0
),

applied as (
    select
        count(distinct struct(topic, partition, offset, landed_at)) as changes,
        max_by(
            coalesce(ddl, concat_ws(' ', change, table_in_source)),
            struct(concat(epoch, coalesce(position, '')), landed_at, offset)
        ) as newest,
        timestampdiff(millisecond, max(coalesce(processed_at, landed_at)), current_timestamp()) as quiet
    from afterimage.stg_shop__products
    where fault is null
    having count(*) > 0
),

of_schema_changes as (
    select
        'pg1' as connector,
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

select
    'shop' as source_name,
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
    union all
    select * from of_snapshots
    union all
    select * from of_chunks
    union all
    select * from of_schema_changes
) as all_metrics
