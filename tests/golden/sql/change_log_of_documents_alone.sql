-- change log of shop.stock_slots, made by afterimage.change_log
-- contract: models/staging/shop/_shop__sources.yml (connector mongodb, format unwrapped)
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
            'documents array<struct<`_id`: string, `__updateDescription_removedFields`: string, `__updateDescription_truncatedArrays`: string, `__updateDescription_updatedFields`: string>>, corrupt string',
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
        false as is_tombstone,
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
                                when size(array_except(json_object_keys(row_text), array('_id'))) = 0 then null
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
                        when get_json_object(row_text, '$.__deleted') = 'true'
                            then '__deleted is true: delete_tombstone_handling_mode is rewrite?'
                        when not arrays_overlap(json_object_keys(row_text), array('_id'))
                            then concat('no column of the table is in it, but ', to_json(json_object_keys(row_text)))
                    end
        end as fault,
        case
            when record.document is null then 'd'
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
            'rs', cast(null as string),
            'db', cast(null as string),
            'collection', cast(null as string),
            'ord', cast(null as string),
            'lsid', cast(null as string),
            'txnNumber', cast(null as string)
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

row_terms as (
    select
        *,
        get(
            transform(
                array(
                    regexp_replace(
                        regexp_replace(
                            if(is_tombstone or row_text = 'null', null, row_text),
                            '("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+")|[ \\n\\r\\t]+',
                            '$1'
                        ),
                        '\\G((?:[^"0-9NI-]++|"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?[0-9]++(?![0-9.eE]))*+)(-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)',
                        '$1{"\\$numberDouble":"$2"}'
                    )
                ),
                t -> if(
                    instr(t, '{"$') > 0,
                    aggregate(
                        array_distinct(
                            regexp_extract_all(
                                regexp_replace(
                                    regexp_replace(
                                        regexp_replace(
                                            regexp_replace(
                                                regexp_replace(
                                                    regexp_replace(
                                                        t,
                                                        '\\{"\\$numberInt":"(-?(?:[0-9]{1,9}|1[0-9]{9}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]|214748364[0-7])|-2147483648)"\\}',
                                                        '$1'
                                                    ),
                                                    '\\{"\\$numberDouble":"(-?[0-9]+)"\\}',
                                                    '{"\\$numberDouble":"$1.0"}'
                                                ),
                                                '\\{"\\$date":(-?[0-9]{1,19})\\}',
                                                '{"\\$date":{"\\$numberLong":"$1"}}'
                                            ),
                                            '\\{"\\$binary":"([A-Za-z0-9+/]*={0,2})","\\$type":"([0-9A-Fa-f]{1,2})"\\}',
                                            '{"\\$binary":{"base64":"$1","subType":"$2"}}'
                                        ),
                                        '\\{"\\$type":"([0-9A-Fa-f]{1,2})","\\$binary":"([A-Za-z0-9+/]*={0,2})"\\}',
                                        '{"\\$binary":{"base64":"$2","subType":"$1"}}'
                                    ),
                                    '\\{"\\$regex":("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"),"\\$options":("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+")\\}',
                                    '{"\\$regularExpression":{"pattern":$1,"options":$2}}'
                                ),
                                '\\{"\\$date":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,9})?(?:Z|[-+][0-9]{2}:?[0-9]{2}))"\\}',
                                0
                            )
                        ),
                        regexp_replace(
                            regexp_replace(
                                regexp_replace(
                                    regexp_replace(
                                        regexp_replace(
                                            regexp_replace(
                                                t,
                                                '\\{"\\$numberInt":"(-?(?:[0-9]{1,9}|1[0-9]{9}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]|214748364[0-7])|-2147483648)"\\}',
                                                '$1'
                                            ),
                                            '\\{"\\$numberDouble":"(-?[0-9]+)"\\}',
                                            '{"\\$numberDouble":"$1.0"}'
                                        ),
                                        '\\{"\\$date":(-?[0-9]{1,19})\\}',
                                        '{"\\$date":{"\\$numberLong":"$1"}}'
                                    ),
                                    '\\{"\\$binary":"([A-Za-z0-9+/]*={0,2})","\\$type":"([0-9A-Fa-f]{1,2})"\\}',
                                    '{"\\$binary":{"base64":"$1","subType":"$2"}}'
                                ),
                                '\\{"\\$type":"([0-9A-Fa-f]{1,2})","\\$binary":"([A-Za-z0-9+/]*={0,2})"\\}',
                                '{"\\$binary":{"base64":"$2","subType":"$1"}}'
                            ),
                            '\\{"\\$regex":("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"),"\\$options":("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+")\\}',
                            '{"\\$regularExpression":{"pattern":$1,"options":$2}}'
                        ),
                        (a, d) -> coalesce(
                            replace(
                                a,
                                d,
                                concat(
                                    '{"$date":{"$numberLong":"',
                                    unix_millis(try_cast(substring(d, 11, length(d) - 12) as timestamp)),
                                    '"}}'
                                )
                            ),
                            a
                        )
                    ),
                    t
                )
            ),
            0
        ) as terms,
        regexp_replace(
            get(
                transform(
                    array(
                        if(
                            get_json_object(record_key, '$.schema.type') is not null
                            or record_key rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":',
                            get_json_object(record_key, '$.payload'),
                            record_key
                        )
                    ),
                    k -> get(
                        transform(
                            array(to_json(try_variant_get(try_parse_json(k), '$.id', 'variant'))),
                            v -> if(startswith(v, '{'), get_json_object(k, '$.id'), v)
                        ),
                        0
                    )
                ),
                0
            ),
            '\\G((?:[^"0-9NI-]++|"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?[0-9]++(?![0-9.eE]))*+)(-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)',
            '$1{"\\$numberDouble":"$2"}'
        ) as key_value
    from envelope
),

row_parts as (
    select
        * except (fault),
        -- the document of a delete or an update may lack `_id`; the key has it, also where `_id` is a document
        case when op <> 'd' and op <> 'u' then fault end as fault,
        from_json(terms, 'map<string, variant>') as fields_sent
    from row_terms
),

row_ids as (
    -- some versions of the transformation leave the keys of envelopes unchanged: the id is JSON within a text there
    select
        *,
        if(
            startswith(key_value, '"'),
            get(
                transform(
                    array(try_variant_get(try_parse_json(key_value), '$', 'string')),
                    t -> get(
                        transform(
                            array(
                                coalesce(
                                    to_json(try_variant_get(try_parse_json(t), '$["$oid"]', 'variant')),
                                    if(
                                        try_parse_json(t) is null,
                                        null,
                                        regexp_replace(
                                            t,
                                            '\\G((?:[^"0-9NI-]++|"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?[0-9]++(?![0-9.eE]))*+)(-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)',
                                            '$1{"\\$numberDouble":"$2"}'
                                        )
                                    )
                                )
                            ),
                            i -> if(
                                if(
                                    fields_sent['_id'] is null,
                                    startswith(t, '{"$oid'),
                                    regexp_replace(
                                        to_json(try_parse_json(i)),
                                        '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}',
                                        '$1'
                                    ) = regexp_replace(
                                        to_json(fields_sent['_id']),
                                        '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}',
                                        '$1'
                                    )
                                ),
                                i,
                                key_value
                            )
                        ),
                        0
                    )
                ),
                0
            ),
            key_value
        ) as key_text
    from row_parts
),

documents_read as (
    select
        *,
        get(
            flatten(
                transform(
                    array(concat('{"_id":', key_text, '}')),
                    t -> transform(
                        array(from_json(concat('[', t, ']'), 'array<variant>')),
                        p -> if(size(p) = 1 and t like '{%}', to_json(get(p, 0)), null)
                    )
                )
            ),
            0
        ) as key_document,
        if(
            fields_sent is null,
            null,
            get(
                flatten(
                    transform(
                        array(
                            to_json(
                                map_filter(
                                    fields_sent,
                                    (k, v) -> k not in (
                                        '__updateDescription_removedFields',
                                        '__updateDescription_truncatedArrays',
                                        '__updateDescription_updatedFields'
                                    )
                                )
                            )
                        ),
                        t -> transform(
                            array(from_json(concat('[', t, ']'), 'array<variant>')),
                            p -> if(size(p) = 1 and t like '{%}', to_json(get(p, 0)), null)
                        )
                    )
                ),
                0
            )
        ) as row_document,
        coalesce(nullif(to_json(fields_sent['__updateDescription_removedFields']), 'null'), '[]') as removed_fields,
        coalesce(nullif(to_json(fields_sent['__updateDescription_truncatedArrays']), 'null'), '[]') as truncated_arrays,
        op = 'u' and nullif(to_json(fields_sent['__updateDescription_updatedFields']), 'null') is not null as is_update
    from row_ids
),

documents as (
    select
        * except (before, after, image_text),
        case
            when is_update and row_document is not null
                then
                    concat(
                        '{"removedFields":',
                        removed_fields,
                        ',"truncatedArrays":',
                        truncated_arrays,
                        ',"updatedFields":',
                        to_json(map_filter(from_json(row_document, 'map<string, variant>'), (k, v) -> k <> '_id')),
                        '}'
                    )
        end as update_document,
        case
            when op = 'd' then coalesce(key_document, row_document)
            when is_update
                then
                    get(
                        transform(
                            array(
                                from_json(
                                    case
                                        when is_update and row_document is not null
                                            then
                                                concat(
                                                    '{"removedFields":',
                                                    removed_fields,
                                                    ',"truncatedArrays":',
                                                    truncated_arrays,
                                                    ',"updatedFields":',
                                                    to_json(
                                                        map_filter(
                                                            from_json(row_document, 'map<string, variant>'),
                                                            (k, v) -> k <> '_id'
                                                        )
                                                    ),
                                                    '}'
                                                )
                                    end,
                                    'truncatedArrays array<struct<field: string, size: int>>, removedFields array<string>, updatedFields map<string, variant>'
                                )
                            ),
                            u -> to_json(
                                try_parse_json(
                                    aggregate(
                                        concat(
                                            transform(
                                                coalesce(u.truncatedArrays, array()),
                                                e -> cast(
                                                    struct(e.field, e.size, false, null) as struct<
                                                        path: string, size: int, is_set: boolean, value: string
                                                    >
                                                )
                                            ),
                                            transform(
                                                coalesce(u.removedFields, array()),
                                                e -> cast(
                                                    struct(e, null, false, null) as struct<
                                                        path: string, size: int, is_set: boolean, value: string
                                                    >
                                                )
                                            ),
                                            transform(
                                                coalesce(map_entries(u.updatedFields), array()),
                                                e -> cast(
                                                    struct(e.key, null, true, to_json(e.value)) as struct<
                                                        path: string, size: int, is_set: boolean, value: string
                                                    >
                                                )
                                            )
                                        ),
                                        coalesce(key_document, '{}'),
                                        (d, s) -> get(
                                            transform(
                                                array(
                                                    if(
                                                        instr(s.path, '.') = 0
                                                        or array_contains(json_object_keys(d), s.path),
                                                        array(s.path),
                                                        split(s.path, '[.]')
                                                    )
                                                ),
                                                n -> get(
                                                    transform(
                                                        array(
                                                            aggregate(
                                                                slice(n, 1, size(n) - 1),
                                                                array(d),
                                                                (w, g) -> concat(
                                                                    w,
                                                                    array(
                                                                        if(
                                                                            get(w, size(w) - 1) like '[%',
                                                                            to_json(
                                                                                get(
                                                                                    from_json(
                                                                                        get(w, size(w) - 1),
                                                                                        'array<variant>'
                                                                                    ),
                                                                                    try_cast(g as int)
                                                                                )
                                                                            ),
                                                                            to_json(
                                                                                try_element_at(
                                                                                    from_json(
                                                                                        get(w, size(w) - 1),
                                                                                        'map<string, variant>'
                                                                                    ),
                                                                                    g
                                                                                )
                                                                            )
                                                                        )
                                                                    )
                                                                )
                                                            )
                                                        ),
                                                        w -> if(
                                                            s.is_set
                                                            or coalesce(
                                                                if(
                                                                    get(w, size(w) - 1) like '[%',
                                                                    to_json(
                                                                        get(
                                                                            from_json(
                                                                                get(w, size(w) - 1), 'array<variant>'
                                                                            ),
                                                                            try_cast(get(n, size(n) - 1) as int)
                                                                        )
                                                                    ),
                                                                    to_json(
                                                                        try_element_at(
                                                                            from_json(
                                                                                get(w, size(w) - 1),
                                                                                'map<string, variant>'
                                                                            ),
                                                                            get(n, size(n) - 1)
                                                                        )
                                                                    )
                                                                ) is not null
                                                                and (
                                                                    s.size is null
                                                                    or (
                                                                        if(
                                                                            get(w, size(w) - 1) like '[%',
                                                                            to_json(
                                                                                get(
                                                                                    from_json(
                                                                                        get(w, size(w) - 1),
                                                                                        'array<variant>'
                                                                                    ),
                                                                                    try_cast(get(n, size(n) - 1) as int)
                                                                                )
                                                                            ),
                                                                            to_json(
                                                                                try_element_at(
                                                                                    from_json(
                                                                                        get(w, size(w) - 1),
                                                                                        'map<string, variant>'
                                                                                    ),
                                                                                    get(n, size(n) - 1)
                                                                                )
                                                                            )
                                                                        ) like '[%'
                                                                    )
                                                                ),
                                                                false
                                                            ),
                                                            aggregate(
                                                                sequence(size(n), 1, -1),
                                                                case
                                                                    when s.is_set then s.value
                                                                    when s.size is not null
                                                                        then
                                                                            to_json(
                                                                                slice(
                                                                                    from_json(
                                                                                        if(
                                                                                            get(
                                                                                                w, size(w) - 1
                                                                                            ) like '[%',
                                                                                            to_json(
                                                                                                get(
                                                                                                    from_json(
                                                                                                        get(
                                                                                                            w,
                                                                                                            size(w) - 1
                                                                                                        ),
                                                                                                        'array<variant>'
                                                                                                    ),
                                                                                                    try_cast(
                                                                                                        get(
                                                                                                            n,
                                                                                                            size(n) - 1
                                                                                                        ) as int
                                                                                                    )
                                                                                                )
                                                                                            ),
                                                                                            to_json(
                                                                                                try_element_at(
                                                                                                    from_json(
                                                                                                        get(
                                                                                                            w,
                                                                                                            size(w) - 1
                                                                                                        ),
                                                                                                        'map<string, variant>'
                                                                                                    ),
                                                                                                    get(n, size(n) - 1)
                                                                                                )
                                                                                            )
                                                                                        ),
                                                                                        'array<variant>'
                                                                                    ),
                                                                                    1,
                                                                                    s.size
                                                                                )
                                                                            )
                                                                end,
                                                                (x, i) -> if(
                                                                    get(w, i - 1) like '[%'
                                                                    and get(n, i - 1) rlike '^[0-9]{1,9}$',
                                                                    get(
                                                                        transform(
                                                                            array(
                                                                                from_json(
                                                                                    get(w, i - 1), 'array<variant>'
                                                                                )
                                                                            ),
                                                                            a -> get(
                                                                                transform(
                                                                                    array(cast(get(n, i - 1) as int)),
                                                                                    p -> if(
                                                                                        p > size(a) + 1500000,
                                                                                        get(w, i - 1),
                                                                                        to_json(
                                                                                            concat(
                                                                                                slice(a, 1, p),
                                                                                                array_repeat(
                                                                                                    parse_json('null'),
                                                                                                    greatest(
                                                                                                        p - size(a), 0
                                                                                                    )
                                                                                                ),
                                                                                                array(
                                                                                                    parse_json(
                                                                                                        coalesce(
                                                                                                            x, 'null'
                                                                                                        )
                                                                                                    )
                                                                                                ),
                                                                                                slice(
                                                                                                    a,
                                                                                                    p + 2,
                                                                                                    greatest(
                                                                                                        size(a) - p - 1,
                                                                                                        0
                                                                                                    )
                                                                                                )
                                                                                            )
                                                                                        )
                                                                                    )
                                                                                ),
                                                                                0
                                                                            )
                                                                        ),
                                                                        0
                                                                    ),
                                                                    to_json(
                                                                        map_concat(
                                                                            map_filter(
                                                                                coalesce(
                                                                                    from_json(
                                                                                        get(w, i - 1),
                                                                                        'map<string, variant>'
                                                                                    ),
                                                                                    cast(map() as map<string, variant>)
                                                                                ),
                                                                                (k, e) -> k <> get(n, i - 1)
                                                                            ),
                                                                            if(
                                                                                x is null,
                                                                                cast(map() as map<string, variant>),
                                                                                map(get(n, i - 1), parse_json(x))
                                                                            )
                                                                        )
                                                                    )
                                                                )
                                                            ),
                                                            d
                                                        )
                                                    ),
                                                    0
                                                )
                                            ),
                                            0
                                        )
                                    )
                                )
                            )
                        ),
                        0
                    )
            else row_document
        end as document,
        op <> 'd' and not is_update as is_whole,
        false as is_approximate,
        get(
            transform(
                array(
                    from_json(
                        case
                            when is_update and row_document is not null
                                then
                                    concat(
                                        '{"removedFields":',
                                        removed_fields,
                                        ',"truncatedArrays":',
                                        truncated_arrays,
                                        ',"updatedFields":',
                                        to_json(
                                            map_filter(
                                                from_json(row_document, 'map<string, variant>'), (k, v) -> k <> '_id'
                                            )
                                        ),
                                        '}'
                                    )
                        end,
                        'removedFields array<string>, updatedFields map<string, variant>'
                    )
                ),
                u -> concat(coalesce(u.removedFields, array()), coalesce(map_keys(u.updatedFields), array()))
            ),
            0
        ) as sent_paths,
        cast(null as string) as document_fault,
        row_document as sent_document
    from documents_read
),

images as (
    select
        * except (fault),
        get(
            transform(
                array(document),
                d -> get(
                    transform(
                        array(try_parse_json(d)),
                        v -> if(
                            d is null,
                            null,
                            named_struct(
                                '_id',
                                regexp_replace(
                                    to_json(try_variant_get(v, '$[\'_id\']', 'variant')),
                                    '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}',
                                    '$1'
                                ),
                                'address.city',
                                regexp_replace(
                                    to_json(try_variant_get(v, '$[\'address\'][\'city\']', 'variant')),
                                    '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}',
                                    '$1'
                                ),
                                '_cdc_document',
                                if(
                                    op <> 'd' or is_whole,
                                    regexp_replace(d, '\\{"\\$numberDouble":"(-?[0-9][^"]*)"\\}', '$1'),
                                    null
                                ),
                                '_cdc_approximate',
                                is_approximate
                            )
                        )
                    ),
                    0
                )
            ),
            0
        ) as image,
        cast(null as string) as image_text,
        if(
            is_whole,
            null,
            array_compact(
                array(
                    '_cdc_approximate',
                    null,
                    if(
                        coalesce(arrays_overlap(sent_paths, array('address', 'address.city')), false),
                        'address.city',
                        null
                    )
                )
            )
        ) as fields,
        cast(null as struct<`_id`: string>) as key_in_record,
        coalesce(
            fault,
            get(
                transform(
                    array(
                        regexp_replace(
                            to_json(try_variant_get(try_parse_json(key_document), '$._id', 'variant')),
                            '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}',
                            '$1'
                        )
                    ),
                    k -> get(
                        transform(
                            array(
                                regexp_replace(
                                    to_json(try_variant_get(try_parse_json(sent_document), '$._id', 'variant')),
                                    '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}',
                                    '$1'
                                )
                            ),
                            d -> if(
                                k <> d,
                                concat(
                                    '_id in the key of the record is ', left(k, 100), ', in its document ', left(d, 100)
                                ),
                                null
                            )
                        ),
                        0
                    )
                ),
                0
            )
        ) as fault,
        nullif(
            regexp_replace(
                case
                    when json_object_keys(key_document) = array('_id') then key_text
                    when startswith(to_json(try_variant_get(try_parse_json(key_document), '$._id', 'variant')), '{')
                        then get_json_object(concat('{"_id":', key_text, '}'), '$._id')
                    else
                        to_json(
                            try_variant_get(try_parse_json(coalesce(sent_document, key_document)), '$._id', 'variant')
                        )
                end,
                '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}',
                '$1'
            ),
            'null'
        ) as identity,
        lpad(cast(offset as string), 20, '0') as position,
        case
            when source.snapshot is null or source.snapshot = 'false' then if(op = 'r', 'unknown', 'none')
            when source.snapshot in ('incremental', 'blocking', 'backfill') then source.snapshot
            when source.snapshot in ('true', 'first', 'first_in_data_collection', 'last_in_data_collection', 'last')
                then 'initial'
            else 'unknown'
        end as snapshot,
        cast(null as string) as old_key,
        cast(null as string) as new_key
    from documents
),

decoded as (
    -- from here on business columns and ours share one row, so all of ours begin with _cdc_
    select
        nullif(
            regexp_extract(
                if(key_in_record is null or array_contains(fields, '_id'), image.`_id`, key_in_record.`_id`),
                '^"([0-9A-Fa-f]{24})"$',
                1
            ),
            ''
        ) as _id,
        if(
            image.`address.city` like '"%', try_variant_get(try_parse_json(image.`address.city`), '$', 'string'), null
        ) as address_city,
        image.`_cdc_document` as _cdc_document,
        image.`_cdc_approximate` as _cdc_approximate,
        case
            when op in ('c', 'r', 'u', 'x') and image is not null and (not is_whole)
                then
                    nullif(
                        concat(
                            '[',
                            concat_ws(
                                ',',
                                if(
                                    ((not is_whole and not array_contains(fields, 'address.city'))),
                                    '"address_city"',
                                    null
                                ),
                                if(
                                    ((not is_whole and not array_contains(fields, '_cdc_document'))),
                                    '"_cdc_document"',
                                    null
                                ),
                                if(
                                    ((not is_whole and not array_contains(fields, '_cdc_approximate'))),
                                    '"_cdc_approximate"',
                                    null
                                )
                            ),
                            ']'
                        ),
                        '[]'
                    )
        end as _cdc_unknown,
        cast(null as string) as _cdc_absent,
        nullif(
            to_json(
                named_struct(
                    '_id',
                    case
                        when
                            if(
                                key_in_record is null or array_contains(fields, '_id'), image.`_id`, key_in_record.`_id`
                            ) <> 'null'
                            and (
                                nullif(
                                    regexp_extract(
                                        if(
                                            key_in_record is null or array_contains(fields, '_id'),
                                            image.`_id`,
                                            key_in_record.`_id`
                                        ),
                                        '^"([0-9A-Fa-f]{24})"$',
                                        1
                                    ),
                                    ''
                                )
                            ) is null
                            then
                                if(
                                    key_in_record is null or array_contains(fields, '_id'),
                                    image.`_id`,
                                    key_in_record.`_id`
                                )
                    end,
                    'address_city',
                    case
                        when image.`address.city` <> 'null'
                            and (
                                if(
                                    image.`address.city` like '"%',
                                    try_variant_get(try_parse_json(image.`address.city`), '$', 'string'),
                                    null
                                )
                            ) is null
                            then image.`address.city`
                    end
                ),
                map('ignoreNullFields', 'true')
            ),
            '{}'
        ) as _cdc_special,
        cast(null as string) as _cdc_extra,
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
        concat_ws('.', source.name, source.rs, source.db, source.collection) as _cdc_source_table,
        coalesce(
            transaction.id, if(source.txnNumber is null, null, concat(source.lsid, ':', source.txnNumber))
        ) as _cdc_tx_id,
        try_cast(transaction.total_order as bigint) as _cdc_tx_order,
        cast(null as string) as _cdc_committed_after,
        snapshot as _cdc_snapshot,
        trim(
            '"', cast(get(filter(headers, h -> h.key = '__debezium.context.runId'), 0).value as string)
        ) as _cdc_connector_run,
        coalesce(old_key, new_key) as _cdc_previous_key,
        cast(null as bigint) as _cdc_before_hash,
        case
            when position is null then to_json(named_struct('ts_ms', source.ts_ms, 'ord', source.ord))
        end as _cdc_reported_place,
        regexp_replace(update_document, '\\{"\\$numberDouble":"(-?[0-9][^"]*)"\\}', '$1') as _cdc_update,
        identity as _cdc_identity,
        document_fault as _cdc_document_fault,
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
                                                array('_id', 'address.city')
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
                                    size(array_except(json_object_keys(record_value), array('_id', 'address.city'))) = 0
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
        _cdc_identity as _cdc_key,
        xxhash64(
            _id,
            isnull(_id),
            address_city,
            isnull(address_city),
            regexp_replace(_cdc_document, '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}', '$1'),
            isnull(_cdc_document),
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
            when _cdc_document_fault is not null then 'refused broken_document'
            when _cdc_op = 'm' then 'ignored message'
            when _cdc_op not in ('c', 'r', 'u', 'd', 'x') then 'refused unknown_op'
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
    _id,
    address_city,
    _cdc_document,
    _cdc_approximate,
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
    _cdc_update,
    concat_ws(
        '.',
        _cdc_position,
        if(_cdc_snapshot = 'none', '1', '0'),
        lpad(cast(coalesce(_cdc_tx_order, 0) as string), 10, '0'),
        '1',
        lpad(cast(_cdc_partition as string), 6, '0'),
        lpad(cast(_cdc_offset as string), 20, '0')
    ) as _cdc_order,
    concat_ws(
        ':',
        _cdc_position,
        _cdc_op,
        coalesce(cast(_cdc_tx_order as string), ''),
        translate(hex(xxhash64(_cdc_key, coalesce(xxhash64(_cdc_update), _cdc_image_hash))), 'ABCDEF', 'abcdef')
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
        when _cdc_verdict = 'refused broken_document' then _cdc_document_fault
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
                                    _cdc_image.`_id` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['_id'] is not null,
                                    concat(
                                        '_id: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['_id'], 200),
                                        ' does not fit objectid'
                                    ),
                                    null
                                ),
                                if(
                                    _cdc_image.`address.city` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['address.city'] is not null,
                                    concat(
                                        'address_city: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['address.city'], 200),
                                        ' does not fit string'
                                    ),
                                    null
                                ),
                                if(
                                    _cdc_image.`_cdc_document` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['_cdc_document'] is not null,
                                    concat(
                                        '_cdc_document: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['_cdc_document'], 200),
                                        ' does not fit document'
                                    ),
                                    null
                                ),
                                if(
                                    _cdc_image.`_cdc_approximate` is null
                                    and from_json(
                                        _cdc_image_text, 'map<string, string>'
                                    )['_cdc_approximate'] is not null,
                                    concat(
                                        '_cdc_approximate: ',
                                        left(
                                            from_json(_cdc_image_text, 'map<string, string>')['_cdc_approximate'], 200
                                        ),
                                        ' does not fit boolean'
                                    ),
                                    null
                                )
                            ),
                            ''
                        ),
                        'a literal beside the row is of another JSON kind: in the row before it, in source or in transaction'
                    )
                )
    end as _cdc_detail,
    if(_cdc_verdict like 'refused%', _cdc_record_key, null) as _cdc_record_key,
    if(_cdc_verdict like 'refused%', _cdc_record_value, null) as _cdc_record_value
from judged
