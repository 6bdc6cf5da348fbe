-- signals of shop, made by afterimage.signals
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
    where topic = 'pg1-signal'
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

signal_images as (
    select
        *,
        if(topic = 'pg1-signal', 'kafka', 'table') as channel,
        coalesce(get_json_object(record_value, '$.op'), get_json_object(record_value, '$.__op')) as op,
        get_json_object(record_value, '$.source') as source_text,
        coalesce(
            get_json_object(record_value, '$.after'), get_json_object(record_value, '$.before'), record_value
        ) as image
    from control_records
    where topic = 'pg1-signal'
),

signal_values as (
    select
        *,
        json_object_keys(image) as names,
        from_json(image, 'map<string, string>') as fields
    from signal_images
),

signal_records as (
    select
        *,
        names is not null as is_there,
        if(channel = 'kafka', fields['id'], fields[get(names, 0)]) as id,
        if(channel = 'kafka', fields['type'], fields[get(names, 1)]) as type,
        if(channel = 'kafka', fields['data'], fields[get(names, 2)]) as data
    from signal_values
),

parsed_signals as (
    select
        *,
        type in ('snapshot-window-open', 'snapshot-window-close') as is_watermark,
        type in ('execute-snapshot', 'stop-snapshot', 'pause-snapshot', 'resume-snapshot') as is_of_snapshot,
        json_object_keys(data) is not null as has_data,
        get_json_object(data, '$.type') as type_asked,
        coalesce(
            get_json_object(data, "$['additional-conditions']"), get_json_object(data, "$['additional-condition']")
        ) as conditions
    from signal_records
)

select
    'shop' as source_name,
    topic,
    partition,
    offset,
    timestamp as landed_at,
    channel,
    if(channel = 'table', op, null) as op,
    coalesce(
        timestamp_millis(
            if(
                nullif(
                    try_cast(get_json_object(source_text, '$.ts_ms') as bigint), 0
                ) between -62135596800000 and 253402300799999,
                nullif(try_cast(get_json_object(source_text, '$.ts_ms') as bigint), 0),
                null
            )
        ),
        timestamp
    ) as signalled_at,
    id,
    type,
    case
        when is_watermark then 'watermark'
        when is_of_snapshot or type in ('log', 'schema-changes') then 'action'
        else 'other'
    end as kind,
    if(is_of_snapshot or type in ('log', 'schema-changes'), type, null) as action,
    case
        when not coalesce(is_of_snapshot, false) then null
        when type_asked rlike '(?i)^blocking$' then 'blocking'
        when type_asked is null or type_asked rlike '(?i)^incremental$' then 'incremental'
        else type_asked
    end as snapshot,
    if(
        is_of_snapshot, from_json(get_json_object(data, "$['data-collections']"), 'array<string>'), null
    ) as data_collections,
    if(type = 'execute-snapshot', coalesce(conditions not in ('', '[]', '{}'), false), null) as is_filtered,
    nullif(nullif(conditions, ''), '[]') as conditions,
    get_json_object(data, "$['surrogate-key']") as surrogate_key,
    get_json_object(data, '$.message') as message,
    data,
    case
        -- rows of the signal table are deleted again, by the connector or by the requester
        when channel = 'table' and (record_value is null or (op = 'd' and type is null)) then null
        when record_value is null then 'no value'
        when not is_there then 'broken JSON'
        when type is null then 'no signal'
        when not (is_watermark or is_of_snapshot or type in ('log', 'schema-changes')) then 'unknown action'
        when channel = 'kafka' and not coalesce(trim('"' from record_key) in ('pg1'), false) then 'another key'
        when not is_watermark and coalesce(data, '') <> '' and not has_data then 'data is no JSON'
        when type = 'stop-snapshot' and type_asked is null then 'no snapshot type'
    end as fault
from parsed_signals
