-- freshness of shop, made by afterimage.freshness
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
    where topic = '__debezium-heartbeat.pg1'
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

heartbeats as (
    select
        connector,
        max(reported_at) as heartbeat_at,
        max(timestamp) as heartbeat_landed_at,
        count_if(reported_at is null) as unreadable_heartbeats
    from (
        select
            map('__debezium-heartbeat.pg1', 'pg1')[topic] as connector,
            timestamp,
            timestamp_millis(
                if(
                    nullif(
                        try_cast(get_json_object(record_value, '$.ts_ms') as bigint), 0
                    ) between -62135596800000 and 253402300799999,
                    nullif(try_cast(get_json_object(record_value, '$.ts_ms') as bigint), 0),
                    null
                )
            ) as reported_at
        from control_records
    ) as read
    group by connector
),

newest as (
    select
        'carts' as table_name,
        'pg1' as connector,
        max(_cdc_source_ts) as newest_event_at,
        max(_cdc_landed_ts) as newest_event_landed_at,
        max_by(_cdc_source_ts, _cdc_order) as source_ts,
        max_by(_cdc_processed_ts, _cdc_order) as processed_ts,
        max_by(_cdc_landed_ts, _cdc_order) as landed_ts
    from afterimage.stg_shop__carts
    where _cdc_op <> 'o'
    union all
    select
        'orders' as table_name,
        'pg1' as connector,
        max(_cdc_source_ts) as newest_event_at,
        max(_cdc_landed_ts) as newest_event_landed_at,
        max_by(_cdc_source_ts, _cdc_order) as source_ts,
        max_by(_cdc_processed_ts, _cdc_order) as processed_ts,
        max_by(_cdc_landed_ts, _cdc_order) as landed_ts
    from afterimage.stg_shop__orders
    where _cdc_op <> 'o'
)

select
    'shop' as source_name,
    newest.table_name,
    newest.connector,
    newest.newest_event_at,
    newest.newest_event_landed_at,
    heartbeats.heartbeat_at,
    heartbeats.heartbeat_landed_at,
    max(newest.newest_event_at) over (partition by newest.connector) as newest_change_of_connector_at,
    greatest(newest.newest_event_at, heartbeats.heartbeat_at) as seen_until,
    greatest(newest.newest_event_landed_at, heartbeats.heartbeat_landed_at) as heard_at,
    timestampdiff(millisecond, newest.source_ts, newest.processed_ts) as lag_ms,
    timestampdiff(millisecond, newest.processed_ts, newest.landed_ts) as landing_lag_ms,
    coalesce(heartbeats.unreadable_heartbeats, 0) as unreadable_heartbeats
from newest
left join heartbeats
    on newest.connector = heartbeats.connector
