-- change log of shop.stock_slots, made by afterimage.change_log: the routine statement
-- records that match the contract byte for byte are decoded here; the exact statement decodes the marked others
-- contract: models/staging/shop/_shop__sources.yml (connector postgresql, format unwrapped)
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
        flat as before,
        flat as after,
        coalesce(
            if(flat.__op = 'x', 'x, as the record says', flat.__op),
            if(
                cast(
                    get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string
                ) is null,
                'x',
                'c'
            )
        ) as op,
        named_struct(
            'ts_ms', coalesce(flat.__source_ts_ms, cast(unix_millis(timestamp) as string)),
            'ts_us', cast(null as string),
            'ts_ns', cast(null as string),
            'snapshot', cast(null as string),
            'name', cast(null as string),
            'lsn', flat.__lsn,
            'sequence', cast(null as string),
            'txId', cast(null as string),
            'schema', cast(null as string),
            'table', topic
        ) as source,
        named_struct(
            'id', cast(null as string),
            'total_order', cast(null as string)
        ) as transaction,
        coalesce(
            try_cast(cast(null as string) as bigint),
            try_multiply(try_cast(cast(null as string) as bigint), 1000)
        ) as processed_us,
        flat._cdc_corrupt as corrupt,
        to_json(named_struct(
            'id', flat.`id`,
            'label', flat.`label`,
            'qty', flat.`qty`
        ), map('ignoreNullFields', 'false')) as written,
        -- except the brace that ends the row
        left(written, length(written) - 1) as beginning
    from documents
        lateral view explode(array(from_json(
            document,
            'struct<
                    `id`: int,
                    `label`: string,
                    `qty`: int,
                    `__op`: string,
                    `__lsn`: string,
                    `__source_ts_ms`: string,
                    `_cdc_corrupt`: string
                >',
            map('columnNameOfCorruptRecord', '_cdc_corrupt', 'allowNonNumericNumbers', 'true')
        ))) as flat
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
                (op = 'r' and coalesce(source.snapshot, '') not in ('incremental', 'blocking'))
                or (
                    op = 'x'
                    and source.snapshot in (
                        'true', 'first', 'first_in_data_collection', 'last_in_data_collection', 'last'
                    )
                ),
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
        if(after.`label` = '__debezium_unavailable_value', null, after.`label`) as label,
        after.`qty` as qty,
        case
            when op <> 'd' and (after.`label` = '__debezium_unavailable_value')
                then
                    nullif(
                        concat(
                            '[',
                            concat_ws(',', if(after.`label` = '__debezium_unavailable_value', '"label"', null)),
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
        coalesce(
            get_json_object(record_key, '$.__dbz__physicalTableIdentifier'),
            get_json_object(record_key, '$.payload.__dbz__physicalTableIdentifier'),
            nullif(concat_ws('.', source.name, source.schema, source.table), '')
        ) as _cdc_source_table,
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
        -- serialized again, the images equal the record's text: no field is missing, unknown, repeated or mistyped
        startswith(document, beginning)
        and substr(document, length(beginning) + 1) rlike concat(
            '\\A',
            '(?:,"__op":(?:"[^"\\\\]*"|[^,"\\[\\]{}]+))?+',
            '(?:,"__lsn":(?:"[^"\\\\]*"|[^,"\\[\\]{}]+))?+',
            '(?:,"__source_ts_ms":(?:"[^"\\\\]*"|[^,"\\[\\]{}]+))?+',
            '\\}\\z'
        )
        and is_valid_utf8(document)
        and corrupt is null
        and op in ('c', 'r', 'u', 'd', 'x')
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
        cast(null as bigint) as _cdc_before_hash
    from decoded
),

judged as (
    select
        *,
        case
            when _cdc_other_key_text is not null and _cdc_previous_key is null then 'marked'
            when
                _cdc_is_expected
                and _cdc_position is not null
                and _cdc_key is not null
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
