-- change log of shop.stock_slots, made by afterimage.change_log
-- contract: models/staging/shop/_shop__sources.yml (connector mongodb, format debezium_json)
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
            'documents array<struct<op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, source: struct<`ts_ms`: string, `ts_us`: string, `ts_ns`: string, `snapshot`: string, `name`: string, `rs`: string, `db`: string, `collection`: string, `ord`: string, `lsid`: string, `txnNumber`: string>, before: string, after: string, patch: string, updateDescription: struct<removedFields: array<string>, updatedFields: string, truncatedArrays: array<struct<field: string, size: int>>>, payload: struct<op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, source: struct<`ts_ms`: string, `ts_us`: string, `ts_ns`: string, `snapshot`: string, `name`: string, `rs`: string, `db`: string, `collection`: string, `ord`: string, `lsid`: string, `txnNumber`: string>, before: string, after: string, patch: string, updateDescription: struct<removedFields: array<string>, updatedFields: string, truncatedArrays: array<struct<field: string, size: int>>>>>>, corrupt string',
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
        get(
            transform(
                array(
                    regexp_replace(
                        regexp_replace(
                            get_json_object(
                                if(
                                    get_json_object(record_key, '$.schema.type') is not null
                                    or record_key rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":',
                                    get_json_object(record_key, '$.payload'),
                                    record_key
                                ),
                                '$.id'
                            ),
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
        ) as key_text,
        get(
            transform(
                array(
                    regexp_replace(
                        regexp_replace(
                            coalesce(record.document.payload.before, record.document.before),
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
        ) as before_terms,
        get(
            transform(
                array(
                    regexp_replace(
                        regexp_replace(
                            coalesce(
                                coalesce(record.document.payload.after, record.document.after),
                                if(
                                    exists(
                                        json_object_keys(
                                            coalesce(record.document.payload.patch, record.document.patch)
                                        ),
                                        k -> startswith(k, '$')
                                    ),
                                    null,
                                    coalesce(record.document.payload.patch, record.document.patch)
                                )
                            ),
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
        ) as after_terms,
        get(
            transform(
                array(
                    regexp_replace(
                        regexp_replace(
                            coalesce(
                                if(
                                    coalesce(
                                        record.document.payload.updateDescription, record.document.updateDescription
                                    ) is null,
                                    null,
                                    concat(
                                        '{"removedFields":',
                                        coalesce(
                                            to_json(
                                                coalesce(
                                                    record.document.payload.updateDescription,
                                                    record.document.updateDescription
                                                ).removedFields
                                            ),
                                            '[]'
                                        ),
                                        ',"truncatedArrays":',
                                        coalesce(
                                            to_json(
                                                coalesce(
                                                    record.document.payload.updateDescription,
                                                    record.document.updateDescription
                                                ).truncatedArrays
                                            ),
                                            '[]'
                                        ),
                                        ',"updatedFields":',
                                        coalesce(
                                            nullif(
                                                trim(
                                                    coalesce(
                                                        record.document.payload.updateDescription,
                                                        record.document.updateDescription
                                                    ).updatedFields
                                                ),
                                                ''
                                            ),
                                            '{}'
                                        ),
                                        '}'
                                    )
                                ),
                                if(
                                    coalesce(
                                        get_json_object(
                                            coalesce(record.document.payload.patch, record.document.patch), "$['$set']"
                                        ),
                                        get_json_object(
                                            coalesce(record.document.payload.patch, record.document.patch),
                                            "$['$unset']"
                                        )
                                    ) is null,
                                    null,
                                    concat(
                                        '{"removedFields":',
                                        coalesce(
                                            to_json(
                                                json_object_keys(
                                                    get_json_object(
                                                        coalesce(record.document.payload.patch, record.document.patch),
                                                        "$['$unset']"
                                                    )
                                                )
                                            ),
                                            '[]'
                                        ),
                                        ',"truncatedArrays":[],"updatedFields":',
                                        coalesce(
                                            get_json_object(
                                                coalesce(record.document.payload.patch, record.document.patch),
                                                "$['$set']"
                                            ),
                                            '{}'
                                        ),
                                        '}'
                                    )
                                )
                            ),
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
        ) as update_terms
    from parsed
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
        get(
            flatten(
                transform(
                    array(before_terms),
                    t -> transform(
                        array(from_json(concat('[', t, ']'), 'array<variant>')),
                        p -> if(size(p) = 1 and t like '{%}', to_json(get(p, 0)), null)
                    )
                )
            ),
            0
        ) as before_document,
        get(
            flatten(
                transform(
                    array(after_terms),
                    t -> transform(
                        array(from_json(concat('[', t, ']'), 'array<variant>')),
                        p -> if(size(p) = 1 and t like '{%}', to_json(get(p, 0)), null)
                    )
                )
            ),
            0
        ) as after_document,
        get(
            flatten(
                transform(
                    array(update_terms),
                    t -> transform(
                        array(from_json(concat('[', t, ']'), 'array<variant>')),
                        p -> if(size(p) = 1 and t like '{%}', to_json(get(p, 0)), null)
                    )
                )
            ),
            0
        ) as update_document
    from envelope
),

documents as (
    select
        *,
        case
            when op = 'd' then coalesce(before_document, key_document)
            when op = 'u' and update_document is not null and before_document is not null
                then
                    get(
                        transform(
                            array(
                                from_json(
                                    update_document,
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
                                        before_document,
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
            when after_document is not null then after_document
            when op = 'u' and update_document is not null
                then
                    get(
                        transform(
                            array(
                                from_json(
                                    update_document,
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
        end as document,
        after_document is not null or before_document is not null as is_whole,
        op = 'u'
        and update_document is not null
        and before_document is null
        and after_document is not null as is_approximate,
        get(
            transform(
                array(from_json(update_document, 'removedFields array<string>, updatedFields map<string, variant>')),
                u -> concat(coalesce(u.removedFields, array()), coalesce(map_keys(u.updatedFields), array()))
            ),
            0
        ) as sent_paths,
        nullif(
            concat_ws(
                '; ',
                if(
                    before_terms is not null and before_document is null,
                    'before: no single JSON object, or a key stands twice in it',
                    null
                ),
                get(
                    transform(
                        array(
                            get(
                                transform(
                                    array(before_terms),
                                    t -> if(
                                        instr(t, '{"$') = 0,
                                        '',
                                        coalesce(
                                            nullif(
                                                regexp_extract(
                                                    t,
                                                    '\\{(?!"\\$numberLong":"-?[0-9]{1,19}"\\}|"\\$date":\\{"\\$numberLong":"-?[0-9]{1,19}"\\}\\}|"\\$numberDouble":"(?:-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)"\\}|"\\$numberDecimal":"(?:[-+]?(?:[0-9]++[.]?[0-9]*+|[.][0-9]++)(?:[eE][-+]?[0-9]++)?|-?NaN|[-+]?(?:Infinity|Inf))"\\}|"\\$oid":"[0-9A-Fa-f]{24}"\\}|"\\$binary":\\{"base64":"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?","subType":"[0-9A-Fa-f]{1,2}"\\}\\}|"\\$binary":\\{"subType":"[0-9A-Fa-f]{1,2}","base64":"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"\\}\\}|"\\$uuid":"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"\\}|"\\$timestamp":\\{"t":[0-9]{1,10},"i":[0-9]{1,10}\\}\\})"\\$(?:numberInt|numberLong|numberDouble|numberDecimal|date|oid|binary|uuid|timestamp)":[^}]{0,100}\\}?',
                                                    0
                                                ),
                                                ''
                                            ),
                                            concat(
                                                '{"$numberLong":"',
                                                get(
                                                    filter(
                                                        regexp_extract_all(
                                                            t, '\\{"\\$numberLong":"(-?[0-9]{19})"\\}', 1
                                                        ),
                                                        n -> try_cast(n as bigint) is null
                                                    ),
                                                    0
                                                ),
                                                '"}'
                                            ),
                                            ''
                                        )
                                    )
                                ),
                                0
                            )
                        ),
                        l -> if(l = '', null, concat('before: ', l, ' is no value of its kind'))
                    ),
                    0
                ),
                if(
                    after_terms is not null and after_document is null,
                    'after: no single JSON object, or a key stands twice in it',
                    null
                ),
                get(
                    transform(
                        array(
                            get(
                                transform(
                                    array(after_terms),
                                    t -> if(
                                        instr(t, '{"$') = 0,
                                        '',
                                        coalesce(
                                            nullif(
                                                regexp_extract(
                                                    t,
                                                    '\\{(?!"\\$numberLong":"-?[0-9]{1,19}"\\}|"\\$date":\\{"\\$numberLong":"-?[0-9]{1,19}"\\}\\}|"\\$numberDouble":"(?:-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)"\\}|"\\$numberDecimal":"(?:[-+]?(?:[0-9]++[.]?[0-9]*+|[.][0-9]++)(?:[eE][-+]?[0-9]++)?|-?NaN|[-+]?(?:Infinity|Inf))"\\}|"\\$oid":"[0-9A-Fa-f]{24}"\\}|"\\$binary":\\{"base64":"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?","subType":"[0-9A-Fa-f]{1,2}"\\}\\}|"\\$binary":\\{"subType":"[0-9A-Fa-f]{1,2}","base64":"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"\\}\\}|"\\$uuid":"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"\\}|"\\$timestamp":\\{"t":[0-9]{1,10},"i":[0-9]{1,10}\\}\\})"\\$(?:numberInt|numberLong|numberDouble|numberDecimal|date|oid|binary|uuid|timestamp)":[^}]{0,100}\\}?',
                                                    0
                                                ),
                                                ''
                                            ),
                                            concat(
                                                '{"$numberLong":"',
                                                get(
                                                    filter(
                                                        regexp_extract_all(
                                                            t, '\\{"\\$numberLong":"(-?[0-9]{19})"\\}', 1
                                                        ),
                                                        n -> try_cast(n as bigint) is null
                                                    ),
                                                    0
                                                ),
                                                '"}'
                                            ),
                                            ''
                                        )
                                    )
                                ),
                                0
                            )
                        ),
                        l -> if(l = '', null, concat('after: ', l, ' is no value of its kind'))
                    ),
                    0
                ),
                if(
                    update_terms is not null and update_document is null,
                    'updateDescription: no single JSON object, or a key stands twice in it',
                    null
                ),
                get(
                    transform(
                        array(
                            get(
                                transform(
                                    array(update_terms),
                                    t -> if(
                                        instr(t, '{"$') = 0,
                                        '',
                                        coalesce(
                                            nullif(
                                                regexp_extract(
                                                    t,
                                                    '\\{(?!"\\$numberLong":"-?[0-9]{1,19}"\\}|"\\$date":\\{"\\$numberLong":"-?[0-9]{1,19}"\\}\\}|"\\$numberDouble":"(?:-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)"\\}|"\\$numberDecimal":"(?:[-+]?(?:[0-9]++[.]?[0-9]*+|[.][0-9]++)(?:[eE][-+]?[0-9]++)?|-?NaN|[-+]?(?:Infinity|Inf))"\\}|"\\$oid":"[0-9A-Fa-f]{24}"\\}|"\\$binary":\\{"base64":"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?","subType":"[0-9A-Fa-f]{1,2}"\\}\\}|"\\$binary":\\{"subType":"[0-9A-Fa-f]{1,2}","base64":"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"\\}\\}|"\\$uuid":"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"\\}|"\\$timestamp":\\{"t":[0-9]{1,10},"i":[0-9]{1,10}\\}\\})"\\$(?:numberInt|numberLong|numberDouble|numberDecimal|date|oid|binary|uuid|timestamp)":[^}]{0,100}\\}?',
                                                    0
                                                ),
                                                ''
                                            ),
                                            concat(
                                                '{"$numberLong":"',
                                                get(
                                                    filter(
                                                        regexp_extract_all(
                                                            t, '\\{"\\$numberLong":"(-?[0-9]{19})"\\}', 1
                                                        ),
                                                        n -> try_cast(n as bigint) is null
                                                    ),
                                                    0
                                                ),
                                                '"}'
                                            ),
                                            ''
                                        )
                                    )
                                ),
                                0
                            )
                        ),
                        l -> if(l = '', null, concat('updateDescription: ', l, ' is no value of its kind'))
                    ),
                    0
                )
            ),
            ''
        ) as document_fault,
        coalesce(after_document, before_document) as sent_document
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
        coalesce(
            case
                when source.ts_ms rlike '^[0-9]{1,18}$' and source.ord rlike '^[0-9]{1,10}$'
                    then concat_ws('.', lpad(source.ts_ms, 18, '0'), lpad(source.ord, 10, '0'))
            end,
            if(
                op = 'r' and coalesce(source.snapshot, '') not in ('incremental', 'blocking'),
                '000000000000000000.0000000000',
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
                '^\\{"\\$oid":"([^"]*)"\\}$',
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
                                        '^\\{"\\$oid":"([^"]*)"\\}$',
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
            when _cdc_op not in ('c', 'r', 'u', 'd') then 'refused unknown_op'
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
