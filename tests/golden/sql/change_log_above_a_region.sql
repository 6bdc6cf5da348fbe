-- change log of shop.carts, made by afterimage.change_log
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
        if(
            startswith(cast(key as string), '"{'),
            coalesce(get_json_object(concat('[', cast(key as string), ']'), '$[0]'), cast(key as string)),
            cast(key as string)
        ) as record_key,
        if(
            startswith(cast(value as string), '"{'),
            coalesce(get_json_object(concat('[', cast(value as string), ']'), '$[0]'), cast(value as string)),
            cast(value as string)
        ) as record_value,
        xxhash64(timestamp, headers, key, value) as landed_hash
    from landing.shop_events
    where
        topic = 'pg1.shop.carts'
        -- everything below was processed and has not changed since
        and (true)
),

new_records as (
    select * from landed
),

parsed as (
    select
        new_records.*,
        struct(
            get(parsed_value.documents, 0) as document,
            size(parsed_value.documents) = 1 as is_one,
            parsed_value.corrupt as corrupt
        ) as record
    from new_records
        lateral view explode(array(from_json(
            concat('{"documents":[', record_value, ']}'),
            'documents array<struct<op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, source: struct<`ts_ms`: string, `ts_us`: string, `ts_ns`: string, `snapshot`: string, `name`: string, `lsn`: string, `sequence`: string, `txId`: string, `schema`: string, `table`: string>, before: struct<`id`: int, `owner`: bigint, `items`: string>, after: struct<`id`: int, `owner`: bigint, `items`: string>, payload: struct<op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, source: struct<`ts_ms`: string, `ts_us`: string, `ts_ns`: string, `snapshot`: string, `name`: string, `lsn`: string, `sequence`: string, `txId`: string, `schema`: string, `table`: string>, before: struct<`id`: int, `owner`: bigint, `items`: string>, after: struct<`id`: int, `owner`: bigint, `items`: string>>>>, corrupt string',
            map('columnNameOfCorruptRecord', 'corrupt', 'allowNonNumericNumbers', 'true')
        ))) as parsed_value
),

envelope as (
    -- with a schema block everything is one level down, in payload
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        record_key,
        record_value,
        record_value is null or record_value = 'null' as is_tombstone,
        coalesce(record.is_one, false) and record.document is not null as is_object,
        record.corrupt is not null as is_corrupt,
        record.document.payload.op is not null as has_schema,
        (
            (
                (locate('"op":', record_value, locate('"op":', record_value) + 1) > locate('"op":', record_value))
                or (
                    locate(
                        '"before":', record_value, locate('"before":', record_value) + 1
                    ) > locate('"before":', record_value)
                )
                or (
                    locate(
                        '"after":', record_value, locate('"after":', record_value) + 1
                    ) > locate('"after":', record_value)
                )
                or (
                    locate(
                        '"source":', record_value, locate('"source":', record_value) + 1
                    ) > locate('"source":', record_value)
                )
            )
            and coalesce(
                size(json_object_keys(record_value)) <> size(array_distinct(json_object_keys(record_value)))
                or size(json_object_keys(get_json_object(record_value, '$.payload'))) <> size(
                    array_distinct(json_object_keys(get_json_object(record_value, '$.payload')))
                ),
                false
            )
        ) as repeats_key,
        cast(null as string) as fault,
        coalesce(record.document.payload.op, record.document.op) as op,
        coalesce(record.document.payload.source, record.document.source) as source,
        coalesce(record.document.payload.transaction, record.document.transaction) as transaction,
        coalesce(
            try_cast(coalesce(record.document.payload.ts_us, record.document.ts_us) as bigint),
            try_multiply(try_cast(coalesce(record.document.payload.ts_ms, record.document.ts_ms) as bigint), 1000)
        ) as processed_us,
        coalesce(record.document.payload.before, record.document.before) as before,
        coalesce(record.document.payload.after, record.document.after) as after,
        coalesce(
            get_json_object(record_value, '$.after'),
            get_json_object(record_value, '$.before'),
            get_json_object(record_value, '$.payload.after'),
            get_json_object(record_value, '$.payload.before')
        ) as image_text
    from parsed
),

images as (
    -- the row image of a record: the before image of a delete, otherwise the after image
    select
        *,
        -- other parts that describe the row: the record key, and the schemas by which values may be read
        get(
            transform(
                array(
                    trim(
                        if(
                            get_json_object(record_key, '$.schema.type') is not null
                            or record_key rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":',
                            get_json_object(record_key, '$.payload'),
                            record_key
                        )
                    )
                ),
                k -> case
                    when startswith(k, '{') then k
                    when k rlike '(?s)\\AStruct\\{id=(.*)\\}\\z'
                        then
                            to_json(
                                named_struct(
                                    'id',
                                    try_cast(
                                        if(
                                            k rlike '(?s)\\AStruct\\{id=(.*)\\}\\z',
                                            regexp_extract(k, '(?s)\\AStruct\\{id=(.*)\\}\\z', 1),
                                            null
                                        ) as int
                                    )
                                )
                            )
                    when k <> 'null'
                        and not startswith(k, 'Struct{')
                        and is_valid_utf8(k)
                        and not k rlike '[\\x00-\\x1f]'
                        then
                            to_json(
                                named_struct(
                                    'id',
                                    try_cast(
                                        if(
                                            (startswith(k, '"') and json_array_length(concat('[', k, ']')) = 1),
                                            get_json_object(concat('[', k, ']'), '$[0]'),
                                            k
                                        ) as int
                                    )
                                )
                            )
                end
            ),
            0
        ) as key_document,
        concat(
            coalesce(
                if(
                    has_schema,
                    from_json(
                        get_json_object(record_value, '$.schema.fields[0].fields'),
                        'array<struct<field: string, type: string, name: string, parameters: map<string, string>, items: struct<type: string, name: string, parameters: map<string, string>>>>'
                    ),
                    null
                ),
                array()
            ),
            coalesce(
                from_json(
                    get_json_object(record_key, '$.schema.fields'),
                    'array<struct<field: string, type: string, name: string, parameters: map<string, string>, items: struct<type: string, name: string, parameters: map<string, string>>>>'
                ),
                array()
            )
        ) as schema_fields,
        case
            when op = 'd'
                then
                    coalesce(
                        before,
                        if(
                            coalesce(array_contains(json_object_keys(key_document), 'id'), false),
                            from_json(key_document, 'struct<`id`: int, `owner`: bigint, `items`: string>'),
                            null
                        )
                    )
            when op in ('c', 'r', 'u', 'x') then after
        end as image,
        json_object_keys(image_text) as fields,
        case
            when not (array_contains(json_object_keys(image_text), 'id'))
                then from_json(key_document, 'struct<`id`: int>')
        end as key_in_record,
        coalesce(json_object_keys(image_text) = array('id', 'owner', 'items'), false) as is_whole,
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
        case
            when source.snapshot is null or source.snapshot = 'false' then if(op = 'r', 'unknown', 'none')
            when source.snapshot in ('incremental', 'blocking', 'backfill') then source.snapshot
            when source.snapshot in ('true', 'first', 'first_in_data_collection', 'last_in_data_collection', 'last')
                then 'initial'
            else 'unknown'
        end as snapshot,
        case
            when
                cast(
                    get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string
                ) is not null
                then
                    cast(
                        from_json(
                            if(
                                get_json_object(
                                    cast(
                                        get(
                                            headers.value,
                                            cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
                                        ) as string
                                    ),
                                    '$.schema.type'
                                ) is not null
                                or cast(
                                    get(
                                        headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
                                    ) as string
                                ) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":',
                                get_json_object(
                                    cast(
                                        get(
                                            headers.value,
                                            cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
                                        ) as string
                                    ),
                                    '$.payload'
                                ),
                                cast(
                                    get(
                                        headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
                                    ) as string
                                )
                            ),
                            'struct<`id`: int>',
                            map('allowUnquotedControlChars', 'true')
                        ).id as string
                    )
        end as old_key,
        case
            when
                cast(
                    get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string
                ) is not null
                then
                    cast(
                        from_json(
                            if(
                                get_json_object(
                                    cast(
                                        get(
                                            headers.value,
                                            cast(array_position(headers.key, '__debezium.newkey') as int) - 1
                                        ) as string
                                    ),
                                    '$.schema.type'
                                ) is not null
                                or cast(
                                    get(
                                        headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1
                                    ) as string
                                ) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":',
                                get_json_object(
                                    cast(
                                        get(
                                            headers.value,
                                            cast(array_position(headers.key, '__debezium.newkey') as int) - 1
                                        ) as string
                                    ),
                                    '$.payload'
                                ),
                                cast(
                                    get(
                                        headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1
                                    ) as string
                                )
                            ),
                            'struct<`id`: int>',
                            map('allowUnquotedControlChars', 'true')
                        ).id as string
                    )
        end as new_key
    from envelope
),

decoded as (
    -- from here on business columns and ours share one row, so all of ours begin with _cdc_
    select
        if(key_in_record is null or array_contains(fields, 'id'), image.`id`, key_in_record.`id`) as id,
        case when op = 'd' then null else image.`owner` end as owner,
        case when op = 'd' or image.`items` = '__debezium_unavailable_value' then null else image.`items` end as items,
        case
            when op in ('c', 'r', 'u', 'x')
                and image is not null
                and (not is_whole or image.`items` = '__debezium_unavailable_value')
                then
                    nullif(
                        concat(
                            '[',
                            concat_ws(
                                ',',
                                if(((not is_whole and not array_contains(fields, 'owner'))), '"owner"', null),
                                if(
                                    (
                                        (not is_whole and not array_contains(fields, 'items'))
                                        or image.`items` = '__debezium_unavailable_value'
                                    ),
                                    '"items"',
                                    null
                                )
                            ),
                            ']'
                        ),
                        '[]'
                    )
        end as _cdc_unknown,
        case
            when not is_whole and image is not null and op in ('c', 'r', 'u', 'x')
                then
                    nullif(
                        concat(
                            '[',
                            concat_ws(
                                ',',
                                if(not array_contains(fields, 'owner'), '"owner"', null),
                                if(not array_contains(fields, 'items'), '"items"', null)
                            ),
                            ']'
                        ),
                        '[]'
                    )
        end as _cdc_absent,
        cast(null as string) as _cdc_special,
        case
            when not is_whole and size(array_except(fields, array('id', 'owner', 'items'))) > 0
                then
                    coalesce(
                        to_json(
                            map_filter(
                                from_json(image_text, 'map<string, variant>'),
                                (name, value) -> array_contains(
                                    array_except(fields, array('id', 'owner', 'items')), name
                                )
                            )
                        ),
                        to_json(
                            map_filter(
                                from_json(image_text, 'map<string, string>'),
                                (name, value) -> array_contains(
                                    array_except(fields, array('id', 'owner', 'items')), name
                                )
                            )
                        )
                    )
        end as _cdc_extra,
        cast(null as string) as _cdc_misfits,
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
        coalesce(old_key, new_key) as _cdc_previous_key,
        case
            when op = 'u'
                and before.`id` is not null
                and not coalesce(array_contains(json_object_keys(key_document), 'id'), false)
                then cast(before.`id` as string)
        end as _cdc_key_before,
        case
            when op in ('u', 'd') and before is not null and before.`id` is not null
                then
                    xxhash64(
                        before.`id`,
                        isnull(before.`id`),
                        before.`owner`,
                        isnull(before.`owner`),
                        before.`items`,
                        isnull(before.`items`),
                        coalesce(cast(null as string), ''),
                        coalesce(cast(null as string), '')
                    )
        end as _cdc_before_hash,
        case when position is null then to_json(named_struct('lsn', source.lsn)) end as _cdc_reported_place,
        image as _cdc_image,
        image_text as _cdc_image_text,
        fields as _cdc_fields,
        is_object as _cdc_is_object,
        is_corrupt as _cdc_is_corrupt,
        is_tombstone as _cdc_is_tombstone,
        repeats_key as _cdc_repeats_key,
        fault as _cdc_fault,
        source is not null as _cdc_has_source,
        case
            when op is null or source is null or fault is not null
                then
                    case
                        when array_sort(json_object_keys(record_value)) = array('payload', 'schema')
                            and get_json_object(record_value, '$.payload') is null
                            then 'tombstone'
                        when array_sort(json_object_keys(record_value)) = array('payload', 'schema')
                            then
                                case
                                    when
                                        size(
                                            array_except(
                                                json_object_keys(get_json_object(record_value, '$.payload')),
                                                array('id', 'owner', 'items')
                                            )
                                        ) = 0
                                        then null
                                    when
                                        size(
                                            array_intersect(
                                                json_object_keys(get_json_object(record_value, '$.payload')),
                                                array('ts_ms')
                                            )
                                        ) = 1
                                        and size(
                                            array_except(
                                                json_object_keys(get_json_object(record_value, '$.payload')),
                                                array('ts_ms', 'ts_us', 'ts_ns')
                                            )
                                        ) = 0
                                        then 'heartbeat'
                                    when
                                        size(
                                            array_intersect(
                                                json_object_keys(get_json_object(record_value, '$.payload')),
                                                array('status', 'id', 'event_count', 'data_collections')
                                            )
                                        ) = 4
                                        and size(
                                            array_except(
                                                json_object_keys(get_json_object(record_value, '$.payload')),
                                                array(
                                                    'status',
                                                    'id',
                                                    'event_count',
                                                    'data_collections',
                                                    'ts_ms',
                                                    'ts_us',
                                                    'ts_ns'
                                                )
                                            )
                                        ) = 0
                                        and get_json_object(
                                            get_json_object(record_value, '$.payload'), '$.status'
                                        ) in ('BEGIN', 'END')
                                        then 'transaction'
                                    when
                                        size(
                                            array_intersect(
                                                json_object_keys(get_json_object(record_value, '$.payload')),
                                                array('source', 'databaseName', 'ddl')
                                            )
                                        ) = 3
                                        and size(
                                            array_except(
                                                json_object_keys(get_json_object(record_value, '$.payload')),
                                                array(
                                                    'source',
                                                    'databaseName',
                                                    'ddl',
                                                    'schemaName',
                                                    'tableChanges',
                                                    'position',
                                                    'ts_ms',
                                                    'ts_us',
                                                    'ts_ns'
                                                )
                                            )
                                        ) = 0
                                        then 'schema_change'
                                    when
                                        size(
                                            array_intersect(
                                                json_object_keys(get_json_object(record_value, '$.payload')),
                                                array('id', 'aggregate_type', 'type')
                                            )
                                        ) = 3
                                        and size(
                                            array_except(
                                                json_object_keys(get_json_object(record_value, '$.payload')),
                                                array('id', 'aggregate_type', 'type', 'additional_data', 'timestamp')
                                            )
                                        ) = 0
                                        then 'notification'
                                end
                        else
                            case
                                when
                                    size(
                                        array_except(json_object_keys(record_value), array('id', 'owner', 'items'))
                                    ) = 0
                                    then null
                                when size(array_intersect(json_object_keys(record_value), array('ts_ms'))) = 1
                                    and size(
                                        array_except(json_object_keys(record_value), array('ts_ms', 'ts_us', 'ts_ns'))
                                    ) = 0
                                    then 'heartbeat'
                                when
                                    size(
                                        array_intersect(
                                            json_object_keys(record_value),
                                            array('status', 'id', 'event_count', 'data_collections')
                                        )
                                    ) = 4
                                    and size(
                                        array_except(
                                            json_object_keys(record_value),
                                            array(
                                                'status',
                                                'id',
                                                'event_count',
                                                'data_collections',
                                                'ts_ms',
                                                'ts_us',
                                                'ts_ns'
                                            )
                                        )
                                    ) = 0
                                    and get_json_object(record_value, '$.status') in ('BEGIN', 'END')
                                    then 'transaction'
                                when
                                    size(
                                        array_intersect(
                                            json_object_keys(record_value), array('source', 'databaseName', 'ddl')
                                        )
                                    ) = 3
                                    and size(
                                        array_except(
                                            json_object_keys(record_value),
                                            array(
                                                'source',
                                                'databaseName',
                                                'ddl',
                                                'schemaName',
                                                'tableChanges',
                                                'position',
                                                'ts_ms',
                                                'ts_us',
                                                'ts_ns'
                                            )
                                        )
                                    ) = 0
                                    then 'schema_change'
                                when
                                    size(
                                        array_intersect(
                                            json_object_keys(record_value), array('id', 'aggregate_type', 'type')
                                        )
                                    ) = 3
                                    and size(
                                        array_except(
                                            json_object_keys(record_value),
                                            array('id', 'aggregate_type', 'type', 'additional_data', 'timestamp')
                                        )
                                    ) = 0
                                    then 'notification'
                            end
                    end
        end as _cdc_record_of_connector,
        record_key as _cdc_record_key,
        record_value as _cdc_record_value
    from images
),

keyed as (
    select
        * except (_cdc_previous_key),
        cast(id as string) as _cdc_key,
        coalesce(_cdc_previous_key, nullif(_cdc_key_before, _cdc_key)) as _cdc_previous_key,
        xxhash64(
            id,
            isnull(id),
            owner,
            isnull(owner),
            items,
            isnull(items),
            coalesce(_cdc_unknown, ''),
            coalesce(_cdc_special, '')
        ) as _cdc_image_hash
    from decoded
),

judged as (
    select
        *,
        case
            when _cdc_is_tombstone then 'ignored tombstone'
            when not is_valid_utf8(_cdc_record_value) then 'refused not_utf8'
            when not _cdc_is_object then 'refused broken_json'
            when _cdc_repeats_key then 'refused duplicate_json_key'
            when _cdc_record_of_connector is not null then concat('ignored ', _cdc_record_of_connector)
            when _cdc_op is null or not _cdc_has_source or _cdc_fault is not null then 'refused wrong_envelope'
            when _cdc_op = 'm' then 'ignored message'
            when _cdc_op not in ('c', 'r', 'u', 'd', 't') then 'refused unknown_op'
            when _cdc_position is null then 'refused missing_position'
            when _cdc_op = 't' then 'accepted'
            when _cdc_image is null then 'refused missing_image'
            when size(_cdc_fields) <> size(array_distinct(_cdc_fields)) then 'refused duplicate_json_key'
            when _cdc_is_corrupt or _cdc_misfits is not null then 'refused value_does_not_fit'
            when _cdc_key is null then 'refused missing_key'
            else 'accepted'
        end as _cdc_verdict
    from keyed
)

select
    id,
    owner,
    items,
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
    substring_index(_cdc_verdict, ' ', 1) as _cdc_outcome,
    nullif(substring_index(_cdc_verdict, ' ', -1), 'accepted') as _cdc_kind,
    case
        when _cdc_verdict = 'refused broken_json'
            then
                concat(
                    case
                        when not _cdc_record_value rlike '\\A\\s*[{]' then 'begins without {'
                        when not _cdc_record_value rlike '[}]\\s*\\z' then 'ends without }'
                        else 'no single object between { and }'
                    end,
                    ', ',
                    octet_length(_cdc_record_value),
                    ' bytes'
                )
        when _cdc_verdict = 'refused duplicate_json_key'
            then if(_cdc_repeats_key, 'a key of the envelope stands twice', concat('fields: ', to_json(_cdc_fields)))
        when _cdc_verdict = 'refused wrong_envelope'
            then
                coalesce(
                    _cdc_fault,
                    concat(
                        if(_cdc_op is null, 'no op', 'no source'),
                        ' among its fields ',
                        to_json(slice(json_object_keys(_cdc_record_value), 1, 20))
                    )
                )
        when _cdc_verdict = 'refused unknown_op' then concat('op: ', _cdc_op)
        when _cdc_verdict = 'refused missing_position' then _cdc_reported_place
        when _cdc_verdict = 'refused missing_image'
            then concat('no ', if(_cdc_op = 'd', 'before', 'after'), ', op: ', _cdc_op)
        when _cdc_verdict = 'refused value_does_not_fit'
            then
                coalesce(
                    _cdc_misfits,
                    coalesce(
                        nullif(
                            concat_ws(
                                '; ',
                                if(
                                    _cdc_image.`id` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['id'] is not null,
                                    concat(
                                        'id: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['id'], 200),
                                        ' does not fit int'
                                    ),
                                    null
                                ),
                                if(
                                    _cdc_image.`owner` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['owner'] is not null,
                                    concat(
                                        'owner: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['owner'], 200),
                                        ' does not fit bigint'
                                    ),
                                    null
                                ),
                                if(
                                    _cdc_image.`items` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['items'] is not null,
                                    concat(
                                        'items: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['items'], 200),
                                        ' does not fit jsonb'
                                    ),
                                    null
                                )
                            ),
                            ''
                        ),
                        'a literal beside the row is of another JSON kind: in the row before it, in source or in transaction'
                    )
                )
        when _cdc_verdict = 'refused missing_key'
            then
                concat(
                    'no value: ',
                    concat_ws(', ', if(id is null, 'id', null)),
                    '; fields of the row: ',
                    coalesce(to_json(slice(_cdc_fields, 1, 20)), 'none')
                )
    end as _cdc_detail,
    if(_cdc_verdict like 'refused%', _cdc_record_key, null) as _cdc_record_key,
    if(_cdc_verdict like 'refused%', _cdc_record_value, null) as _cdc_record_value
from judged
