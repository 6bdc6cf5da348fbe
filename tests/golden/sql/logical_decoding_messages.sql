-- logical decoding messages of shop, made by afterimage.logical_decoding_messages
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
    where topic = 'pg1.message'
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

parsed as (
    select
        *,
        json_object_keys(record_value) is not null as is_object,
        get_json_object(record_value, '$.op') as op,
        from_json(
            get_json_object(record_value, '$.source'),
            '`ts_ms` string, `ts_us` string, `ts_ns` string, `snapshot` string, `name` string, `lsn` string, `sequence` string, `txId` string, `schema` string, `table` string'
        ) as source,
        from_json(get_json_object(record_value, '$.transaction'), 'id string, total_order string') as transaction,
        get_json_object(record_value, '$.message.prefix') as prefix,
        get_json_object(record_value, '$.message.content') as raw_content,
        json_object_keys(get_json_object(record_value, '$.message.content')) is not null as is_json
    from control_records
),

placed as (
    select
        *,
        lpad(
            cast(
                coalesce(
                    try_cast(source.lsn as bigint),
                    try_cast(translate(split_part(source.sequence, ',', 2), '[]" ', '') as bigint)
                ) as string
            ),
            20,
            '0'
        ) as position,
        coalesce(source.txId, substring_index(transaction.id, ':', 1)) as transaction_id,
        if(is_json, null, try_to_binary(raw_content, 'base64')) as content
    from parsed
)

select
    'shop' as source_name,
    topic,
    partition,
    offset,
    timestamp as landed_at,
    prefix,
    content,
    case
        when is_json then raw_content when is_valid_utf8(cast(content as string)) then cast(content as string)
    end as content_text,
    transaction_id is not null as is_transactional,
    transaction_id,
    position,
    timestamp_micros(
        nullif(coalesce(try_cast(source.ts_us as bigint), try_multiply(try_cast(source.ts_ms as bigint), 1000)), 0)
    ) as emitted_at,
    position is not null
    and row_number() over (
        partition by topic, position, prefix, raw_content order by timestamp, partition, offset
    ) > 1 as is_repeat,
    case
        when record_value is null then 'no value'
        when not is_object then 'broken JSON'
        when not coalesce(op = 'm', false) or prefix is null then 'no message'
        when not is_json and raw_content is not null and (try_to_binary(raw_content, 'base64') is null)
            then 'content is not as binary_handling_mode has it'
    end as fault
from placed
