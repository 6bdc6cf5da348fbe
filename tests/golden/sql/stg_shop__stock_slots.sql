-- operator events: afterimage.operator_events
-- change log of shop.stock_slots, made by afterimage.change_log: the routine statement
-- records that match the contract byte for byte are decoded here; the exact statement decodes the marked others
-- contract: models/staging/shop/_shop__sources.yml (connector postgresql, format debezium_json)
with

landed as (
    -- routed by topic: nothing is parsed to find a record's table
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        cast(key as string) as record_key,
        cast(value as string) as record_value,
        xxhash64(timestamp, headers, key, value) as landed_hash
    from landing.shop_events
    where
        topic = 'pg1.shop.stock_slots'
),

new_records as (
    select * from landed
),

documents as (
    select
        *,
        record_value as document
    from new_records
),

parsed as (
    -- explode keeps Spark from parsing again for each column
    select
        documents.*,
        record.before,
        record.after,
        record.op,
        record.source,
        record.transaction,
        record.corrupt,
        coalesce(
            try_cast(record.ts_us as bigint), try_multiply(try_cast(record.ts_ms as bigint), 1000)
        ) as processed_us,
        concat(
            '{"before":', coalesce(to_json(record.before, map('ignoreNullFields', 'false')), 'null'),
            ',"after":', coalesce(to_json(record.after, map('ignoreNullFields', 'false')), 'null'),
            ',"source":'
        ) as beginning
    from documents
        lateral view explode(array(from_json(
            document,
            'struct<
                before: struct<
                    `id`: int,
                    `label`: string,
                    `qty`: int
                >,
                after: struct<
                    `id`: int,
                    `label`: string,
                    `qty`: int
                >,
                source: struct<
                    `ts_ms`: string,
                    `ts_us`: string,
                    `ts_ns`: string,
                    `snapshot`: string,
                    `name`: string,
                    `lsn`: string,
                    `sequence`: string,
                    `txId`: string,
                    `schema`: string,
                    `table`: string
                >,
                transaction: struct<id: string, total_order: string>,
                op: string, ts_ms: string, ts_us: string, corrupt: string
            >',
            map('columnNameOfCorruptRecord', 'corrupt', 'allowNonNumericNumbers', 'true')
        ))) as record
),

images as (
    -- the row image of a record: the before image of a delete, otherwise the after image
    select
        *,
        if(op = 'd', before, after) as image,
        coalesce(
            lpad(
                cast(
                    coalesce(
                        try_cast(source.lsn as bigint),
                        try_cast(translate(split_part(source.sequence, ',', 2), '[]" ', '') as bigint)
                    ) as string
                ),
                20,
                '0'
            ),
            if(
                op = 'r' and coalesce(source.snapshot, '') not in ('incremental', 'blocking'),
                '00000000000000000000',
                null
            )
        ) as position,
        coalesce(
            cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string),
            cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string)
        ) as other_key_text,
        from_json(other_key_text, 'struct<`id`: int>') as other_key,
        case
            when source.snapshot is null or source.snapshot = 'false' then if(op = 'r', 'unknown', 'none')
            when source.snapshot in ('incremental', 'blocking', 'backfill') then source.snapshot
            when source.snapshot in ('true', 'first', 'first_in_data_collection', 'last_in_data_collection', 'last')
                then 'initial'
            else 'unknown'
        end as snapshot
    from parsed
),

decoded as (
    -- from here on business columns and ours share one row, so all of ours begin with _cdc_
    select
        image.`id` as id,
        if(image.`label` = '__debezium_unavailable_value', null, image.`label`) as label,
        image.`qty` as qty,
        case
            when (image.`label` = '__debezium_unavailable_value')
                then
                    nullif(
                        concat(
                            '[',
                            concat_ws(',', if(image.`label` = '__debezium_unavailable_value', '"label"', null)),
                            ']'
                        ),
                        '[]'
                    )
        end as _cdc_unknown,
        cast(null as string) as _cdc_absent,
        cast(null as string) as _cdc_special,
        cast(null as string) as _cdc_extra,
        op as _cdc_op,
        position as _cdc_position,
        -- 0 is not a time: a MySQL snapshot writes it when it has none
        timestamp_micros(coalesce(
            nullif(try_cast(source.ts_us as bigint), 0),
            nullif(try_multiply(try_cast(source.ts_ms as bigint), 1000), 0),
            nullif(processed_us, 0),
            unix_micros(timestamp)
        )) as _cdc_source_ts,
        nullif(try_cast(source.ts_ns as bigint), 0) as _cdc_source_ts_ns,
        timestamp_micros(nullif(processed_us, 0)) as _cdc_processed_ts,
        timestamp as _cdc_landed_ts,
        topic as _cdc_topic,
        partition as _cdc_partition,
        offset as _cdc_offset,
        concat_ws('.', source.name, source.schema, source.table) as _cdc_source_table,
        coalesce(source.txId, substring_index(transaction.id, ':', 1)) as _cdc_tx_id,
        try_cast(transaction.total_order as bigint) as _cdc_tx_order,
        lpad(
            cast(try_cast(translate(split_part(source.sequence, ',', 1), '[]" ', '') as bigint) as string), 20, '0'
        ) as _cdc_committed_after,
        snapshot as _cdc_snapshot,
        trim(
            '"', cast(get(filter(headers, h -> h.key = '__debezium.context.runId'), 0).value as string)
        ) as _cdc_connector_run,
        image as _cdc_image,
        after as _cdc_after,
        other_key_text as _cdc_other_key_text,
        if(to_json(other_key) = other_key_text, cast(other_key.`id` as string), null) as _cdc_other_key,
        if(op = 'u', before, null) as _cdc_before,
        if(op = 'u' and before is not null, named_struct(
            'id', before.`id`,
            'label', before.`label`,
            'qty', before.`qty`
        ), null) as _cdc_before_row,
        -- serialized again, the images equal the record's text: no field is missing, unknown, repeated or mistyped
        startswith(document, beginning)
        and substr(document, length(beginning) + 1) rlike concat(
            '\\A\\{[^{}]*\\}(?:',
            ',"transaction":(?:null|\\{[^{}]*\\})',
            ',"op":"[a-z]"(?:,"ts_ms":[^,{}]+)?+(?:,"ts_us":[^,{}]+)?+(?:,"ts_ns":[^,{}]+)?+',
            '|',
            ',"op":"[a-z]"(?:,"ts_ms":[^,{}]+)?+(?:,"ts_us":[^,{}]+)?+(?:,"ts_ns":[^,{}]+)?+',
            '(?:,"transaction":(?:null|\\{[^{}]*\\}))?+)\\}\\z'
        )
        and is_valid_utf8(document)
        and corrupt is null
        and coalesce(op <> 'u' or (before.`id` = after.`id`), true)
        and op in ('c', 'r', 'u', 'd')
        and (op = 'd') = (after is null) as _cdc_is_expected,
        record_value is null as _cdc_is_tombstone,
        landed_hash as _cdc_landed_hash
    from images
),

keyed as (
    select
        *,
        cast(id as string) as _cdc_key,
        _cdc_other_key as _cdc_previous_key,
        xxhash64(
            id,
            isnull(id),
            label,
            isnull(label),
            qty,
            isnull(qty),
            coalesce(_cdc_unknown, ''),
            coalesce(_cdc_special, '')
        ) as _cdc_image_hash,
        case
            when _cdc_before.`id` is not null
                then
                    xxhash64(
                        _cdc_before_row.id,
                        isnull(_cdc_before_row.id),
                        _cdc_before_row.label,
                        isnull(_cdc_before_row.label),
                        _cdc_before_row.qty,
                        isnull(_cdc_before_row.qty),
                        coalesce(cast(null as string), ''),
                        coalesce(cast(null as string), '')
                    )
        end as _cdc_before_hash
    from decoded
),

judged as (
    select
        *,
        case
            when _cdc_other_key_text is not null and _cdc_previous_key is null then 'marked'
            when _cdc_is_tombstone then 'ignored'
            when
                _cdc_is_expected
                and _cdc_position is not null
                and _cdc_key is not null
                and (_cdc_op <> 'u' or _cdc_unknown is null)
                then 'accepted'
            else 'marked'
        end as _cdc_outcome
    from keyed
)

select
    id,
    label,
    qty,
    _cdc_op,
    _cdc_key,
    _cdc_previous_key,
    _cdc_position,
    _cdc_image_hash,
    _cdc_before_hash,
    _cdc_source_ts,
    _cdc_source_ts_ns,
    _cdc_processed_ts,
    _cdc_landed_ts,
    _cdc_topic,
    _cdc_partition,
    _cdc_offset,
    _cdc_source_table,
    _cdc_tx_id,
    _cdc_tx_order,
    _cdc_committed_after,
    _cdc_snapshot,
    _cdc_connector_run,
    _cdc_unknown,
    _cdc_absent,
    _cdc_special,
    _cdc_extra,
    concat_ws(
        '.',
        _cdc_position,
        if(_cdc_snapshot = 'none', '1', '0'),
        if(_cdc_op = 'd', '0', '1'),
        lpad(cast(_cdc_partition as string), 6, '0'),
        lpad(cast(_cdc_offset as string), 20, '0')
    ) as _cdc_order,
    concat_ws(
        ':', _cdc_position, _cdc_op, '', translate(hex(xxhash64(_cdc_key, _cdc_image_hash)), 'ABCDEF', 'abcdef')
    ) as _cdc_event_id,
    _cdc_outcome,
    if(_cdc_outcome = 'ignored', 'tombstone', null) as _cdc_kind,
    if(_cdc_outcome = 'marked', cast(_cdc_landed_hash as string), null) as _cdc_detail,
    cast(null as string) as _cdc_record_key,
    cast(null as string) as _cdc_record_value
from judged
