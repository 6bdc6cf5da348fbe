-- change log of shop.stock_slots, made by afterimage.change_log
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
        topic = 'pg1.shop.stock_slots'
),

new_records as (
    select * from landed
),

rows_sent as (
    -- with a schema block the row is the content of payload, cut out as text: the block itself has no such key
    select
        * except (payload_first),
        case
            when payload_first is not null then payload_first
            when has_schema then regexp_extract(record_value, '(?s)"payload"\\s*:\\s*(.*\\S)\\s*\\}\\s*\\z', 1)
            else trim(record_value)
        end as row_text
    from (
        select
            *,
            nullif(
                regexp_extract(
                    record_value,
                    '(?s)\\A\\s*\\{\\s*"payload"\\s*:\\s*(\\{.*\\}|null)\\s*,\\s*(?:"schema"\\s*:\\s*\\{\\s*"(?:type"\\s*:\\s*"struct"|(?:fields|name|optional|version|doc|parameters)"\\s*:).*\\}|"schema"\\s*:\\s*null|"schemaId"\\s*:\\s*[0-9]+)\\s*\\}\\s*\\z',
                    1
                ),
                ''
            ) as payload_first,
            coalesce(
                record_value rlike '\\A\\s*\\{\\s*(?:"schema"\\s*:\\s*(?:\\{\\s*"(?:type"\\s*:\\s*"struct"|(?:fields|name|optional|version|doc|parameters)"\\s*:)|null\\s*,\\s*"payload"\\s*:)|"schemaId"\\s*:\\s*[0-9]+\\s*,\\s*"payload"\\s*:)',
                false
            )
            or payload_first is not null as has_schema
        from new_records
    ) as looked_at
),

parsed as (
    select
        rows_sent.*,
        struct(
            get(parsed_value.documents, 0) as document,
            size(parsed_value.documents) = 1 as is_one,
            parsed_value.corrupt as corrupt
        ) as record
    from rows_sent
        lateral view explode(array(from_json(
            concat('{"documents":[', row_text, ']}'),
            'documents array<struct<`id`: int, `label`: string, `qty`: int, `__deleted`: string>>, corrupt string',
            map('columnNameOfCorruptRecord', 'corrupt', 'allowNonNumericNumbers', 'true')
        ))) as parsed_value
),

envelope as (
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        record_key,
        record_value,
        row_text is null or row_text = 'null' as is_tombstone,
        row_text is null
        or row_text = 'null'
        or (coalesce(record.is_one, false) and record.document is not null) as is_object,
        record.corrupt is not null as is_corrupt,
        has_schema,
        coalesce(
            size(json_object_keys(row_text)) <> size(array_distinct(json_object_keys(row_text))), false
        ) as repeats_key,
        case
            when record.document is not null
                then
                    case
                        when
                            case
                                when size(array_except(json_object_keys(row_text), array('id', 'label', 'qty'))) = 0
                                    then null
                                when size(array_intersect(json_object_keys(row_text), array('ts_ms'))) = 1
                                    and size(
                                        array_except(json_object_keys(row_text), array('ts_ms', 'ts_us', 'ts_ns'))
                                    ) = 0
                                    then 'heartbeat'
                                when
                                    size(
                                        array_intersect(
                                            json_object_keys(row_text),
                                            array('status', 'id', 'event_count', 'data_collections')
                                        )
                                    ) = 4
                                    and size(
                                        array_except(
                                            json_object_keys(row_text),
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
                                    and get_json_object(row_text, '$.status') in ('BEGIN', 'END')
                                    then 'transaction'
                                when
                                    size(
                                        array_intersect(
                                            json_object_keys(row_text), array('source', 'databaseName', 'ddl')
                                        )
                                    ) = 3
                                    and size(
                                        array_except(
                                            json_object_keys(row_text),
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
                                            json_object_keys(row_text), array('id', 'aggregate_type', 'type')
                                        )
                                    ) = 3
                                    and size(
                                        array_except(
                                            json_object_keys(row_text),
                                            array('id', 'aggregate_type', 'type', 'additional_data', 'timestamp')
                                        )
                                    ) = 0
                                    then 'notification'
                            end is not null
                            then 'no row, but a record of the connector'
                        when array_contains(json_object_keys(row_text), 'op')
                            and array_contains(json_object_keys(row_text), 'source')
                            and arrays_overlap(json_object_keys(row_text), array('before', 'after'))
                            then 'an envelope, where the contract says rows without (format unwrapped)'
                        when not arrays_overlap(json_object_keys(row_text), array('id', 'label', 'qty'))
                            then concat('no column of the table is in it, but ', to_json(json_object_keys(row_text)))
                    end
        end as fault,
        case
            when record.document.`__deleted` = 'true' then 'd'
            else
                coalesce(
                    if(
                        trim(
                            '"',
                            cast(get(headers.value, cast(array_position(headers.key, '__op') as int) - 1) as string)
                        ) = 'x',
                        'x, as the record says',
                        trim(
                            '"',
                            cast(get(headers.value, cast(array_position(headers.key, '__op') as int) - 1) as string)
                        )
                    ),
                    if(
                        cast(
                            get(
                                headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
                            ) as string
                        ) is null,
                        'x',
                        'c'
                    )
                )
        end as op,
        named_struct(
            'ts_ms', cast(unix_millis(timestamp) as string),
            'ts_us', cast(null as string),
            'ts_ns', cast(null as string),
            'snapshot', cast(null as string),
            'name', cast(null as string),
            'lsn', cast(null as string),
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
        record.document as before,
        record.document as after,
        row_text as image_text,
        row_text
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
                        get_json_object(record_value, '$.schema.fields'),
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
                            from_json(
                                key_document, 'struct<`id`: int, `label`: string, `qty`: int, `__deleted`: string>'
                            ),
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
        coalesce(json_object_keys(image_text) = array('id', 'label', 'qty', '__deleted'), false) as is_whole,
        lpad(cast(offset as string), 20, '0') as position,
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
        case when op = 'd' or image.`label` = '__debezium_unavailable_value' then null else image.`label` end as label,
        case when op = 'd' then null else image.`qty` end as qty,
        case
            when op in ('c', 'r', 'u', 'x')
                and image is not null
                and (not is_whole or image.`label` = '__debezium_unavailable_value')
                then
                    nullif(
                        concat(
                            '[',
                            concat_ws(
                                ',',
                                if(
                                    (
                                        (not is_whole and not array_contains(fields, 'label'))
                                        or image.`label` = '__debezium_unavailable_value'
                                    ),
                                    '"label"',
                                    null
                                ),
                                if(((not is_whole and not array_contains(fields, 'qty'))), '"qty"', null)
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
                                if(not array_contains(fields, 'label'), '"label"', null),
                                if(not array_contains(fields, 'qty'), '"qty"', null)
                            ),
                            ']'
                        ),
                        '[]'
                    )
        end as _cdc_absent,
        cast(null as string) as _cdc_special,
        case
            when not is_whole and size(array_except(fields, array('id', 'label', 'qty', '__deleted'))) > 0
                then
                    coalesce(
                        to_json(
                            map_filter(
                                from_json(image_text, 'map<string, variant>'),
                                (name, value) -> array_contains(
                                    array_except(fields, array('id', 'label', 'qty', '__deleted')), name
                                )
                            )
                        ),
                        to_json(
                            map_filter(
                                from_json(image_text, 'map<string, string>'),
                                (name, value) -> array_contains(
                                    array_except(fields, array('id', 'label', 'qty', '__deleted')), name
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
        coalesce(
            get_json_object(record_key, '$.__dbz__physicalTableIdentifier'),
            get_json_object(record_key, '$.payload.__dbz__physicalTableIdentifier'),
            nullif(concat_ws('.', source.name, source.schema, source.table), '')
        ) as _cdc_source_table,
        coalesce(source.txId, substring_index(transaction.id, ':', 1)) as _cdc_tx_id,
        try_cast(transaction.total_order as bigint) as _cdc_tx_order,
        cast(null as string) as _cdc_committed_after,
        snapshot as _cdc_snapshot,
        trim(
            '"', cast(get(filter(headers, h -> h.key = '__debezium.context.runId'), 0).value as string)
        ) as _cdc_connector_run,
        coalesce(old_key, new_key) as _cdc_previous_key,
        cast(null as bigint) as _cdc_before_hash,
        case when position is null then to_json(named_struct('lsn', source.lsn)) end as _cdc_reported_place,
        -- one row under two record keys: Debezium writes the delete first, but the two may be in different partitions
        op = 'd'
        and new_key is null
        and cast(
            get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string
        ) is not null as _cdc_is_before_record,
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
                                                array('id', 'label', 'qty')
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
                                when size(array_except(json_object_keys(record_value), array('id', 'label', 'qty'))) = 0
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
        *,
        cast(id as string) as _cdc_key,
        xxhash64(
            id,
            isnull(id),
            label,
            isnull(label),
            qty,
            isnull(qty),
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
            when _cdc_op not in ('c', 'r', 'u', 'd', 't', 'x') then 'refused unknown_op'
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
        lpad(cast(coalesce(_cdc_tx_order, 0) as string), 10, '0'),
        if(_cdc_is_before_record, '0', '1'),
        lpad(cast(_cdc_partition as string), 6, '0'),
        lpad(cast(_cdc_offset as string), 20, '0')
    ) as _cdc_order,
    concat_ws(
        ':',
        _cdc_position,
        _cdc_op,
        coalesce(cast(_cdc_tx_order as string), ''),
        translate(hex(xxhash64(_cdc_key, _cdc_image_hash)), 'ABCDEF', 'abcdef')
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
                                    _cdc_image.`label` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['label'] is not null,
                                    concat(
                                        'label: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['label'], 200),
                                        ' does not fit text'
                                    ),
                                    null
                                ),
                                if(
                                    _cdc_image.`qty` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['qty'] is not null,
                                    concat(
                                        'qty: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['qty'], 200),
                                        ' does not fit int'
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
