-- notifications of shop, made by afterimage.notifications
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
    where topic = 'n'
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

parsed_notifications as (
    select
        *,
        row_number() over (partition by topic, record_value order by timestamp, partition, offset) > 1 as is_repeat,
        json_object_keys(record_value) as names,
        get_json_object(record_value, '$.id') as id,
        get_json_object(record_value, '$.aggregate_type') as aggregate_type,
        regexp_replace(get_json_object(record_value, '$.type'), '^Status ', '') as status,
        from_json(get_json_object(record_value, '$.additional_data'), 'map<string, string>') as additional_data,
        try_cast(get_json_object(record_value, '$.timestamp') as bigint) as reported_ms
    from control_records
)

select
    'shop' as source_name,
    topic,
    partition,
    offset,
    timestamp as landed_at,
    id,
    additional_data['connector_name'] as connector_name,
    coalesce(
        timestamp_millis(
            if(nullif(reported_ms, 0) between -62135596800000 and 253402300799999, nullif(reported_ms, 0), null)
        ),
        timestamp
    ) as notified_at,
    case aggregate_type
        when 'Initial Snapshot' then 'initial' when 'Incremental Snapshot' then 'incremental' else 'other'
    end as snapshot,
    aggregate_type,
    status,
    filter(
        split(coalesce(additional_data['data_collections'], additional_data['data_collection']), '\\s*,\\s*'),
        each -> each <> ''
    ) as data_collections,
    coalesce(additional_data['scanned_collection'], additional_data['current_collection_in_progress']) as collection,
    additional_data['last_processed_key'] as last_processed_key,
    additional_data['maximum_key'] as maximum_key,
    try_cast(additional_data['total_rows_scanned'] as bigint) as total_rows_scanned,
    additional_data['status'] as scan_status,
    additional_data,
    is_repeat and id is not null as is_repeat,
    case
        when record_value is null then 'no value'
        when names is null then 'broken JSON'
        when aggregate_type is null or status is null then 'no notification'
        when aggregate_type not in ('Initial Snapshot', 'Incremental Snapshot') then 'unknown kind'
        when
            status not in (
                'STARTED', 'IN_PROGRESS', 'TABLE_SCAN_COMPLETED', 'PAUSED', 'RESUMED', 'ABORTED', 'COMPLETED', 'SKIPPED'
            )
            then 'unknown status'
    end as fault
from parsed_notifications
