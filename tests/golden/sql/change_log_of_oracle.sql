-- change log of shop.stock_slots, made by afterimage.change_log
-- contract: models/staging/shop/_shop__sources.yml (connector oracle, format debezium_json)
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
            'documents array<struct<op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, source: struct<`ts_ms`: string, `ts_us`: string, `ts_ns`: string, `snapshot`: string, `name`: string, `db`: string, `schema`: string, `table`: string, `scn`: string, `commit_scn`: string, `txId`: string, `txSeq`: string>, before: struct<`c1`: variant, `c2`: string, `c3`: bigint>, after: struct<`c1`: variant, `c2`: string, `c3`: bigint>, payload: struct<op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, source: struct<`ts_ms`: string, `ts_us`: string, `ts_ns`: string, `snapshot`: string, `name`: string, `db`: string, `schema`: string, `table`: string, `scn`: string, `commit_scn`: string, `txId`: string, `txSeq`: string>, before: struct<`c1`: variant, `c2`: string, `c3`: bigint>, after: struct<`c1`: variant, `c2`: string, `c3`: bigint>>>>, corrupt string',
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
                    when k rlike '(?s)\\AStruct\\{c1=(.*)\\}\\z'
                        then
                            to_json(
                                named_struct(
                                    'c1',
                                    try_parse_json(
                                        if(
                                            k rlike '(?s)\\AStruct\\{c1=(.*)\\}\\z',
                                            regexp_extract(k, '(?s)\\AStruct\\{c1=(.*)\\}\\z', 1),
                                            null
                                        )
                                    )
                                )
                            )
                    when k <> 'null'
                        and not startswith(k, 'Struct{')
                        and is_valid_utf8(k)
                        and not k rlike '[\\x00-\\x1f]'
                        then to_json(named_struct('c1', try_parse_json(k)))
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
            when op = 'd' then before
            when op in ('c', 'r', 'u', 'x')
                then
                    if(
                        op = 'u' and before is not null and (after.`c2` = '__debezium_unavailable_value'),
                        named_struct(
                            'c1',
                            after.`c1`,
                            'c2',
                            if(
                                after.`c2` = '__debezium_unavailable_value',
                                coalesce(before.`c2`, after.`c2`),
                                after.`c2`
                            ),
                            'c3',
                            after.`c3`
                        ),
                        after
                    )
        end as image,
        json_object_keys(image_text) as fields,
        case
            when not (array_contains(json_object_keys(image_text), 'c1'))
                then from_json(key_document, 'struct<`c1`: variant>')
        end as key_in_record,
        coalesce(json_object_keys(image_text) = array('c1', 'c2', 'c3'), false) as is_whole,
        coalesce(
            case when source.scn rlike '^[0-9]{1,20}\\z' then lpad(source.scn, 20, '0') end,
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
        case when cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string) is not null then cast(get(transform(array(case when coalesce(schema_of_variant(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1), 'VOID') = 'STRING' then get(transform(array(nullif(try_variant_get(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1, '$', 'string'), '')), b -> if(b rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,3})?$', b, null)), 0) when coalesce(schema_of_variant(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1), 'VOID') = 'OBJECT<scale: BIGINT, value: STRING>' and try_variant_get(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1, '$.scale', 'int') between -400 and 400 then get(transform(array(nullif(try_variant_get(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1, '$.value', 'string'), '')), b -> concat(case when length(hex(try_to_binary(b, 'base64'))) <= 16 then conv(lpad(hex(try_to_binary(b, 'base64')), 16, if(hex(try_to_binary(b, 'base64')) >= '8', 'F', '0')), 16, -10) when hex(try_to_binary(b, 'base64')) is not null then concat(
      if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8', '-', ''),
      coalesce(nullif(ltrim('0', array_join(transform(reverse(aggregate(
      transform(
          sequence(1, length(hex(try_to_binary(b, 'base64'))) div 2),
          i -> cast(
              conv(
                  substr(
                      if(
                          substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
                          translate(hex(try_to_binary(b, 'base64')), '0123456789ABCDEF', 'FEDCBA9876543210'),
                          hex(try_to_binary(b, 'base64'))
                      ),
                      i * 2 - 1,
                      2
                  ),
                  16,
                  10
              ) as bigint
          )
      ),
      array(0L),
      (limbs, byte) -> aggregate(
        limbs,
        named_struct('carry', byte, 'done', cast(array() as array<bigint>)),
        (state, limb) -> named_struct(
          'carry', (limb * 256 + state.carry) div 1000000000,
          'done', concat(state.done, array((limb * 256 + state.carry) % 1000000000))),
        state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
      limbs -> if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
        aggregate(
          limbs,
          named_struct('carry', 1L, 'done', cast(array() as array<bigint>)),
          (state, limb) -> named_struct(
            'carry', (limb + state.carry) div 1000000000,
            'done', concat(state.done, array((limb + state.carry) % 1000000000))),
          state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
        limbs))),
        limb -> lpad(cast(limb as string), 9, '0')),
        '')),
        ''),
        '0')) end,
        'E',
        -try_variant_get(
            from_json(
                if(
                    get_json_object(
                        cast(
                            get(
                                headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
                            ) as string
                        ),
                        '$.schema.type'
                    ) is not null
                    or cast(
                        get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string
                    ) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":',
                    get_json_object(
                        cast(
                            get(
                                headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
                            ) as string
                        ),
                        '$.payload'
                    ),
                    cast(
                        get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string
                    )
                ),
                'struct<`c1`: variant>',
                map('allowUnquotedControlChars', 'true')
            ).c1,
            '$.scale',
            'int'
        ))),
        0)
        when
            coalesce(
                schema_of_variant(
                    from_json(
                        if(
                            get_json_object(
                                cast(
                                    get(
                                        headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
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
                                        headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
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
                        'struct<`c1`: variant>',
                        map('allowUnquotedControlChars', 'true')
                    ).c1
                ),
                'VOID'
            ) rlike '^(BIGINT|DECIMAL|DOUBLE)'
            then
                cast(
                    from_json(
                        if(
                            get_json_object(
                                cast(
                                    get(
                                        headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
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
                                        headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1
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
                        'struct<`c1`: variant>',
                        map('allowUnquotedControlChars', 'true')
                    ).c1 as string
                ) end),
        d -> try_cast(d as decimal(10,2))),
        0) as string) end as old_key,
        case when cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string) is not null then cast(get(transform(array(case when coalesce(schema_of_variant(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1), 'VOID') = 'STRING' then get(transform(array(nullif(try_variant_get(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1, '$', 'string'), '')), b -> if(b rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,3})?$', b, null)), 0) when coalesce(schema_of_variant(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1), 'VOID') = 'OBJECT<scale: BIGINT, value: STRING>' and try_variant_get(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1, '$.scale', 'int') between -400 and 400 then get(transform(array(nullif(try_variant_get(from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.schema.type') is not null or cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string)), 'struct<`c1`: variant>', map('allowUnquotedControlChars', 'true')).c1, '$.value', 'string'), '')), b -> concat(case when length(hex(try_to_binary(b, 'base64'))) <= 16 then conv(lpad(hex(try_to_binary(b, 'base64')), 16, if(hex(try_to_binary(b, 'base64')) >= '8', 'F', '0')), 16, -10) when hex(try_to_binary(b, 'base64')) is not null then concat(
      if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8', '-', ''),
      coalesce(nullif(ltrim('0', array_join(transform(reverse(aggregate(
      transform(
          sequence(1, length(hex(try_to_binary(b, 'base64'))) div 2),
          i -> cast(
              conv(
                  substr(
                      if(
                          substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
                          translate(hex(try_to_binary(b, 'base64')), '0123456789ABCDEF', 'FEDCBA9876543210'),
                          hex(try_to_binary(b, 'base64'))
                      ),
                      i * 2 - 1,
                      2
                  ),
                  16,
                  10
              ) as bigint
          )
      ),
      array(0L),
      (limbs, byte) -> aggregate(
        limbs,
        named_struct('carry', byte, 'done', cast(array() as array<bigint>)),
        (state, limb) -> named_struct(
          'carry', (limb * 256 + state.carry) div 1000000000,
          'done', concat(state.done, array((limb * 256 + state.carry) % 1000000000))),
        state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
      limbs -> if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
        aggregate(
          limbs,
          named_struct('carry', 1L, 'done', cast(array() as array<bigint>)),
          (state, limb) -> named_struct(
            'carry', (limb + state.carry) div 1000000000,
            'done', concat(state.done, array((limb + state.carry) % 1000000000))),
          state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
        limbs))),
        limb -> lpad(cast(limb as string), 9, '0')),
        '')),
        ''),
        '0')) end,
        'E',
        -try_variant_get(
            from_json(
                if(
                    get_json_object(
                        cast(
                            get(
                                headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1
                            ) as string
                        ),
                        '$.schema.type'
                    ) is not null
                    or cast(
                        get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string
                    ) rlike '\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":',
                    get_json_object(
                        cast(
                            get(
                                headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1
                            ) as string
                        ),
                        '$.payload'
                    ),
                    cast(
                        get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string
                    )
                ),
                'struct<`c1`: variant>',
                map('allowUnquotedControlChars', 'true')
            ).c1,
            '$.scale',
            'int'
        ))),
        0)
        when
            coalesce(
                schema_of_variant(
                    from_json(
                        if(
                            get_json_object(
                                cast(
                                    get(
                                        headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1
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
                                        headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1
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
                        'struct<`c1`: variant>',
                        map('allowUnquotedControlChars', 'true')
                    ).c1
                ),
                'VOID'
            ) rlike '^(BIGINT|DECIMAL|DOUBLE)'
            then
                cast(
                    from_json(
                        if(
                            get_json_object(
                                cast(
                                    get(
                                        headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1
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
                                        headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1
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
                        'struct<`c1`: variant>',
                        map('allowUnquotedControlChars', 'true')
                    ).c1 as string
                ) end),
        d -> try_cast(d as decimal(10,2))),
        0) as string) end as new_key
    from envelope
),

decoded as (
    -- from here on business columns and ours share one row, so all of ours begin with _cdc_
    select
        get(transform(array(case when coalesce(schema_of_variant(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`)), 'VOID') = 'STRING' then get(transform(array(nullif(try_variant_get(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`), '$', 'string'), '')), b -> if(b rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,3})?$', b, null)), 0) when coalesce(schema_of_variant(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`)), 'VOID') = 'OBJECT<scale: BIGINT, value: STRING>' and try_variant_get(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`), '$.scale', 'int') between -400 and 400 then get(transform(array(nullif(try_variant_get(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`), '$.value', 'string'), '')), b -> concat(case when length(hex(try_to_binary(b, 'base64'))) <= 16 then conv(lpad(hex(try_to_binary(b, 'base64')), 16, if(hex(try_to_binary(b, 'base64')) >= '8', 'F', '0')), 16, -10) when hex(try_to_binary(b, 'base64')) is not null then concat(
      if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8', '-', ''),
      coalesce(nullif(ltrim('0', array_join(transform(reverse(aggregate(
      transform(
          sequence(1, length(hex(try_to_binary(b, 'base64'))) div 2),
          i -> cast(
              conv(
                  substr(
                      if(
                          substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
                          translate(hex(try_to_binary(b, 'base64')), '0123456789ABCDEF', 'FEDCBA9876543210'),
                          hex(try_to_binary(b, 'base64'))
                      ),
                      i * 2 - 1,
                      2
                  ),
                  16,
                  10
              ) as bigint
          )
      ),
      array(0L),
      (limbs, byte) -> aggregate(
        limbs,
        named_struct('carry', byte, 'done', cast(array() as array<bigint>)),
        (state, limb) -> named_struct(
          'carry', (limb * 256 + state.carry) div 1000000000,
          'done', concat(state.done, array((limb * 256 + state.carry) % 1000000000))),
        state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
      limbs -> if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
        aggregate(
          limbs,
          named_struct('carry', 1L, 'done', cast(array() as array<bigint>)),
          (state, limb) -> named_struct(
            'carry', (limb + state.carry) div 1000000000,
            'done', concat(state.done, array((limb + state.carry) % 1000000000))),
          state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
        limbs))),
        limb -> lpad(cast(limb as string), 9, '0')),
        '')),
        ''),
        '0')) end,
        'E',
        -try_variant_get(
            if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`), '$.scale', 'int'
        ))),
        0)
        when
            coalesce(
                schema_of_variant(
                    if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`)
                ),
                'VOID'
            ) rlike '^(BIGINT|DECIMAL|DOUBLE)'
            then
                cast(
                    if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`) as string
                ) end),
        d -> try_cast(d as decimal(10,2))),
        0) as c1,
        case when image.`c2` = '__debezium_unavailable_value' then null else image.`c2` end as c2,
        case
            when image.`c3` between -62135596800000000 and 253402300799999999
                then timestampadd(microsecond, image.`c3`, timestamp_ntz'1970-01-01 00:00:00')
        end as c3,
        case
            when op <> 't' and image is not null and (not is_whole or image.`c2` = '__debezium_unavailable_value')
                then
                    nullif(
                        concat(
                            '[',
                            concat_ws(
                                ',',
                                if(
                                    (
                                        (not is_whole and not array_contains(fields, 'c2'))
                                        or image.`c2` = '__debezium_unavailable_value'
                                    ),
                                    '"c2"',
                                    null
                                ),
                                if(((not is_whole and not array_contains(fields, 'c3'))), '"c3"', null)
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
                                if(not array_contains(fields, 'c2'), '"c2"', null),
                                if(not array_contains(fields, 'c3'), '"c3"', null)
                            ),
                            ']'
                        ),
                        '[]'
                    )
        end as _cdc_absent,
        nullif(
            to_json(
                named_struct(
                    'c3',
                    case
                        when image.`c3` = 9223372036825200000 then 'infinity'
                        when image.`c3` = -9223372036832400000 then '-infinity'
                        when image.`c3` <= -9223372036853775809 then 'after 294247-01-10 04:00:54'
                        when image.`c3` between -210866803200000000 and 9223372036854775807
                            and not (image.`c3` between -62135596800000000 and 253402300799999999)
                            then
                                get(
                                    transform(
                                        array(
                                            struct(
                                                date_from_unix_date(
                                                    cast(floor(image.`c3` / 86400000000BD) as int)
                                                ) as day,
                                                pmod(image.`c3`, 86400000000L) as fraction
                                            )
                                        ),
                                        m -> concat(
                                            lpad(
                                                if(year(m.day) > 0, year(m.day), 1 - year(m.day)),
                                                greatest(4, length(abs(year(m.day)))),
                                                '0'
                                            ),
                                            '-',
                                            lpad(month(m.day), 2, '0'),
                                            '-',
                                            lpad(day(m.day), 2, '0'),
                                            ' ',
                                            concat(
                                                if(m.fraction < 36000000000, '0', ''),
                                                cast(m.fraction div 3600000000 as string),
                                                ':',
                                                lpad(cast(m.fraction div 60000000 % 60 as string), 2, '0'),
                                                ':',
                                                lpad(cast(m.fraction div 1000000 % 60 as string), 2, '0'),
                                                if(
                                                    m.fraction % 1000000 = 0,
                                                    '',
                                                    concat(
                                                        '.',
                                                        rtrim('0', lpad(cast(m.fraction % 1000000 as string), 6, '0'))
                                                    )
                                                )
                                            ),
                                            if(year(m.day) > 0, '', ' BC')
                                        )
                                    ),
                                    0
                                )
                    end
                ),
                map('ignoreNullFields', 'true')
            ),
            '{}'
        ) as _cdc_special,
        case
            when not is_whole and size(array_except(fields, array('c1', 'c2', 'c3'))) > 0
                then
                    coalesce(
                        to_json(
                            map_filter(
                                from_json(image_text, 'map<string, variant>'),
                                (name, value) -> array_contains(array_except(fields, array('c1', 'c2', 'c3')), name)
                            )
                        ),
                        to_json(
                            map_filter(
                                from_json(image_text, 'map<string, string>'),
                                (name, value) -> array_contains(array_except(fields, array('c1', 'c2', 'c3')), name)
                            )
                        )
                    )
        end as _cdc_extra,
        nullif(concat_ws('; ', if(coalesce(schema_of_variant(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`)), 'VOID') <> 'VOID' and (coalesce(schema_of_variant(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`)), 'VOID') = 'DOUBLE' and abs(try_cast(cast(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`) as string) as double)) > 9007199254740992 or get(transform(array(case when coalesce(schema_of_variant(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`)), 'VOID') = 'STRING' then get(transform(array(nullif(try_variant_get(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`), '$', 'string'), '')), b -> if(b rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,3})?$', b, null)), 0) when coalesce(schema_of_variant(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`)), 'VOID') = 'OBJECT<scale: BIGINT, value: STRING>' and try_variant_get(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`), '$.scale', 'int') between -400 and 400 then get(transform(array(nullif(try_variant_get(if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`), '$.value', 'string'), '')), b -> concat(case when length(hex(try_to_binary(b, 'base64'))) <= 16 then conv(lpad(hex(try_to_binary(b, 'base64')), 16, if(hex(try_to_binary(b, 'base64')) >= '8', 'F', '0')), 16, -10) when hex(try_to_binary(b, 'base64')) is not null then concat(
      if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8', '-', ''),
      coalesce(nullif(ltrim('0', array_join(transform(reverse(aggregate(
      transform(
          sequence(1, length(hex(try_to_binary(b, 'base64'))) div 2),
          i -> cast(
              conv(
                  substr(
                      if(
                          substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
                          translate(hex(try_to_binary(b, 'base64')), '0123456789ABCDEF', 'FEDCBA9876543210'),
                          hex(try_to_binary(b, 'base64'))
                      ),
                      i * 2 - 1,
                      2
                  ),
                  16,
                  10
              ) as bigint
          )
      ),
      array(0L),
      (limbs, byte) -> aggregate(
        limbs,
        named_struct('carry', byte, 'done', cast(array() as array<bigint>)),
        (state, limb) -> named_struct(
          'carry', (limb * 256 + state.carry) div 1000000000,
          'done', concat(state.done, array((limb * 256 + state.carry) % 1000000000))),
        state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
      limbs -> if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
        aggregate(
          limbs,
          named_struct('carry', 1L, 'done', cast(array() as array<bigint>)),
          (state, limb) -> named_struct(
            'carry', (limb + state.carry) div 1000000000,
            'done', concat(state.done, array((limb + state.carry) % 1000000000))),
          state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
        limbs))),
        limb -> lpad(cast(limb as string), 9, '0')),
        '')),
        ''),
        '0')) end,
        'E',
        -try_variant_get(
            if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`), '$.scale', 'int'
        ))),
        0)
        when
            coalesce(
                schema_of_variant(
                    if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`)
                ),
                'VOID'
            ) rlike '^(BIGINT|DECIMAL|DOUBLE)'
            then
                cast(
                    if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`) as string
                ) end),
        d -> d is null
        or try_cast(d as decimal(10,2)) is null
        or if(
            ltrim(
                '0',
                concat(
                    regexp_extract(d, '^[-+]?([0-9]*)[.]?([0-9]*)', 1),
                    regexp_extract(d, '^[-+]?([0-9]*)[.]?([0-9]*)', 2)
                )
            ) = '',
            -99999,
            if(
                rtrim('0', regexp_extract(d, '^[-+]?([0-9]*)[.]?([0-9]*)', 2)) = '',
                length(
                    rtrim('0', regexp_extract(d, '^[-+]?([0-9]*)[.]?([0-9]*)', 1))
                ) - length(regexp_extract(d, '^[-+]?([0-9]*)[.]?([0-9]*)', 1)),
                length(rtrim('0', regexp_extract(d, '^[-+]?([0-9]*)[.]?([0-9]*)', 2)))
            ) - coalesce(try_cast(coalesce(nullif(regexp_extract(d, '[eE]([-+]?[0-9]+)$', 1), ''), '0') as int), -99999)
        ) > 2),
        0)),
        concat(
            'c1: ',
            left(
                to_json(
                    named_struct(
                        'v', if(key_in_record is null or array_contains(fields, 'c1'), image.`c1`, key_in_record.`c1`)
                    )
                ),
                200
            ),
            ' does not fit number(10,2) under decimal_handling_mode string'
        ),
        null),
        if(
            not (
                image.`c3` between -210866803200000000 and 9223372036854775807
                or image.`c3` = 9223372036825200000
                or image.`c3` = -9223372036832400000
                or image.`c3` <= -9223372036853775809
            ),
            concat('c3: ', left(to_json(named_struct('v', image.`c3`)), 200), ' does not fit timestamp(6)'),
            null
        ),
        if(
            if(
                coalesce(
                    try_cast(
                        get(
                            filter(schema_fields, f -> f.field = 'c1'), 0
                        ).parameters['connect.decimal.precision'] as int
                    ),
                    1000
                ) >= try_cast(get(filter(schema_fields, f -> f.field = 'c1'), 0).parameters['scale'] as int),
                try_cast(get(filter(schema_fields, f -> f.field = 'c1'), 0).parameters['scale'] as int),
                null
            ) <> 2,
            concat(
                'c1: scale ',
                if(
                    coalesce(
                        try_cast(
                            get(
                                filter(schema_fields, f -> f.field = 'c1'), 0
                            ).parameters['connect.decimal.precision'] as int
                        ),
                        1000
                    ) >= try_cast(get(filter(schema_fields, f -> f.field = 'c1'), 0).parameters['scale'] as int),
                    try_cast(get(filter(schema_fields, f -> f.field = 'c1'), 0).parameters['scale'] as int),
                    null
                ),
                ' in the schema of the record does not fit number(10,2)'
            ),
            null
        ),
        if(
            get(
                filter(schema_fields, f -> f.field = 'c3'), 0
            ).name rlike '^(io[.]debezium[.]time|org[.]apache[.]kafka[.]connect[.]data)[.]'
            and not array_contains(
                array('io.debezium.time.MicroTimestamp'), get(filter(schema_fields, f -> f.field = 'c3'), 0).name
            ),
            concat(
                'c3: ',
                get(filter(schema_fields, f -> f.field = 'c3'), 0).name,
                ' in the schema of the record, where ',
                array_join(array('io.debezium.time.MicroTimestamp'), ' or '),
                ' is timestamp(6)'
            ),
            null
        )),
        '') as _cdc_misfits,
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
        concat_ws('.', source.name, source.db, source.schema, source.table) as _cdc_source_table,
        coalesce(source.txId, transaction.id) as _cdc_tx_id,
        try_cast(coalesce(transaction.total_order, source.txSeq) as bigint) as _cdc_tx_order,
        case
            when source.commit_scn rlike '^0*[1-9][0-9]{0,19}$'
                then lpad(cast(cast(source.commit_scn as decimal(20,0)) - 1 as string), 20, '0')
        end as _cdc_committed_after,
        snapshot as _cdc_snapshot,
        trim(
            '"', cast(get(filter(headers, h -> h.key = '__debezium.context.runId'), 0).value as string)
        ) as _cdc_connector_run,
        coalesce(old_key, new_key) as _cdc_previous_key,
        case when op = 'u' and before.`c1` is not null then cast(get(transform(array(case when coalesce(schema_of_variant(before.`c1`), 'VOID') = 'STRING' then get(transform(array(nullif(try_variant_get(before.`c1`, '$', 'string'), '')), b -> if(b rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,3})?$', b, null)), 0) when coalesce(schema_of_variant(before.`c1`), 'VOID') = 'OBJECT<scale: BIGINT, value: STRING>' and try_variant_get(before.`c1`, '$.scale', 'int') between -400 and 400 then get(transform(array(nullif(try_variant_get(before.`c1`, '$.value', 'string'), '')), b -> concat(case when length(hex(try_to_binary(b, 'base64'))) <= 16 then conv(lpad(hex(try_to_binary(b, 'base64')), 16, if(hex(try_to_binary(b, 'base64')) >= '8', 'F', '0')), 16, -10) when hex(try_to_binary(b, 'base64')) is not null then concat(
      if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8', '-', ''),
      coalesce(nullif(ltrim('0', array_join(transform(reverse(aggregate(
      transform(
          sequence(1, length(hex(try_to_binary(b, 'base64'))) div 2),
          i -> cast(
              conv(
                  substr(
                      if(
                          substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
                          translate(hex(try_to_binary(b, 'base64')), '0123456789ABCDEF', 'FEDCBA9876543210'),
                          hex(try_to_binary(b, 'base64'))
                      ),
                      i * 2 - 1,
                      2
                  ),
                  16,
                  10
              ) as bigint
          )
      ),
      array(0L),
      (limbs, byte) -> aggregate(
        limbs,
        named_struct('carry', byte, 'done', cast(array() as array<bigint>)),
        (state, limb) -> named_struct(
          'carry', (limb * 256 + state.carry) div 1000000000,
          'done', concat(state.done, array((limb * 256 + state.carry) % 1000000000))),
        state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
      limbs -> if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
        aggregate(
          limbs,
          named_struct('carry', 1L, 'done', cast(array() as array<bigint>)),
          (state, limb) -> named_struct(
            'carry', (limb + state.carry) div 1000000000,
            'done', concat(state.done, array((limb + state.carry) % 1000000000))),
          state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
        limbs))),
        limb -> lpad(cast(limb as string), 9, '0')),
        '')),
        ''),
        '0')) end,
        'E',
        -try_variant_get(before.`c1`, '$.scale', 'int'))),
        0)
        when coalesce(schema_of_variant(before.`c1`), 'VOID') rlike '^(BIGINT|DECIMAL|DOUBLE)'
            then cast(before.`c1` as string) end),
        d -> try_cast(d as decimal(10,2))),
        0) as string) end as _cdc_key_before,
        case when op = 'u' and before is not null and before.`c1` is not null then xxhash64(get(transform(array(case when coalesce(schema_of_variant(before.`c1`), 'VOID') = 'STRING' then get(transform(array(nullif(try_variant_get(before.`c1`, '$', 'string'), '')), b -> if(b rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,3})?$', b, null)), 0) when coalesce(schema_of_variant(before.`c1`), 'VOID') = 'OBJECT<scale: BIGINT, value: STRING>' and try_variant_get(before.`c1`, '$.scale', 'int') between -400 and 400 then get(transform(array(nullif(try_variant_get(before.`c1`, '$.value', 'string'), '')), b -> concat(case when length(hex(try_to_binary(b, 'base64'))) <= 16 then conv(lpad(hex(try_to_binary(b, 'base64')), 16, if(hex(try_to_binary(b, 'base64')) >= '8', 'F', '0')), 16, -10) when hex(try_to_binary(b, 'base64')) is not null then concat(
      if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8', '-', ''),
      coalesce(nullif(ltrim('0', array_join(transform(reverse(aggregate(
      transform(
          sequence(1, length(hex(try_to_binary(b, 'base64'))) div 2),
          i -> cast(
              conv(
                  substr(
                      if(
                          substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
                          translate(hex(try_to_binary(b, 'base64')), '0123456789ABCDEF', 'FEDCBA9876543210'),
                          hex(try_to_binary(b, 'base64'))
                      ),
                      i * 2 - 1,
                      2
                  ),
                  16,
                  10
              ) as bigint
          )
      ),
      array(0L),
      (limbs, byte) -> aggregate(
        limbs,
        named_struct('carry', byte, 'done', cast(array() as array<bigint>)),
        (state, limb) -> named_struct(
          'carry', (limb * 256 + state.carry) div 1000000000,
          'done', concat(state.done, array((limb * 256 + state.carry) % 1000000000))),
        state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
      limbs -> if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
        aggregate(
          limbs,
          named_struct('carry', 1L, 'done', cast(array() as array<bigint>)),
          (state, limb) -> named_struct(
            'carry', (limb + state.carry) div 1000000000,
            'done', concat(state.done, array((limb + state.carry) % 1000000000))),
          state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
        limbs))),
        limb -> lpad(cast(limb as string), 9, '0')),
        '')),
        ''),
        '0')) end,
        'E',
        -try_variant_get(before.`c1`, '$.scale', 'int'))),
        0)
        when coalesce(schema_of_variant(before.`c1`), 'VOID') rlike '^(BIGINT|DECIMAL|DOUBLE)'
            then cast(before.`c1` as string) end),
        d -> try_cast(d as decimal(10,2))),
        0),
        isnull(get(transform(array(case when coalesce(schema_of_variant(before.`c1`), 'VOID') = 'STRING' then get(transform(array(nullif(try_variant_get(before.`c1`, '$', 'string'), '')), b -> if(b rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,3})?$', b, null)), 0) when coalesce(schema_of_variant(before.`c1`), 'VOID') = 'OBJECT<scale: BIGINT, value: STRING>' and try_variant_get(before.`c1`, '$.scale', 'int') between -400 and 400 then get(transform(array(nullif(try_variant_get(before.`c1`, '$.value', 'string'), '')), b -> concat(case when length(hex(try_to_binary(b, 'base64'))) <= 16 then conv(lpad(hex(try_to_binary(b, 'base64')), 16, if(hex(try_to_binary(b, 'base64')) >= '8', 'F', '0')), 16, -10) when hex(try_to_binary(b, 'base64')) is not null then concat(
      if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8', '-', ''),
      coalesce(nullif(ltrim('0', array_join(transform(reverse(aggregate(
      transform(
          sequence(1, length(hex(try_to_binary(b, 'base64'))) div 2),
          i -> cast(
              conv(
                  substr(
                      if(
                          substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
                          translate(hex(try_to_binary(b, 'base64')), '0123456789ABCDEF', 'FEDCBA9876543210'),
                          hex(try_to_binary(b, 'base64'))
                      ),
                      i * 2 - 1,
                      2
                  ),
                  16,
                  10
              ) as bigint
          )
      ),
      array(0L),
      (limbs, byte) -> aggregate(
        limbs,
        named_struct('carry', byte, 'done', cast(array() as array<bigint>)),
        (state, limb) -> named_struct(
          'carry', (limb * 256 + state.carry) div 1000000000,
          'done', concat(state.done, array((limb * 256 + state.carry) % 1000000000))),
        state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
      limbs -> if(substr(hex(try_to_binary(b, 'base64')), 1, 1) >= '8',
        aggregate(
          limbs,
          named_struct('carry', 1L, 'done', cast(array() as array<bigint>)),
          (state, limb) -> named_struct(
            'carry', (limb + state.carry) div 1000000000,
            'done', concat(state.done, array((limb + state.carry) % 1000000000))),
          state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
        limbs))),
        limb -> lpad(cast(limb as string), 9, '0')),
        '')),
        ''),
        '0')) end,
        'E',
        -try_variant_get(before.`c1`, '$.scale', 'int'))),
        0)
        when coalesce(schema_of_variant(before.`c1`), 'VOID') rlike '^(BIGINT|DECIMAL|DOUBLE)'
            then cast(before.`c1` as string) end),
        d -> try_cast(d as decimal(10,2))),
        0)),
        before.`c2`,
        isnull(before.`c2`),
        case
            when before.`c3` between -62135596800000000 and 253402300799999999
                then timestampadd(microsecond, before.`c3`, timestamp_ntz'1970-01-01 00:00:00')
        end,
        isnull(
            case
                when before.`c3` between -62135596800000000 and 253402300799999999
                    then timestampadd(microsecond, before.`c3`, timestamp_ntz'1970-01-01 00:00:00')
            end
        ),
        coalesce(cast(null as string), ''),
        coalesce(
            nullif(
                to_json(
                    named_struct(
                        'c3',
                        case
                            when before.`c3` = 9223372036825200000 then 'infinity'
                            when before.`c3` = -9223372036832400000 then '-infinity'
                            when before.`c3` <= -9223372036853775809 then 'after 294247-01-10 04:00:54'
                            when before.`c3` between -210866803200000000 and 9223372036854775807
                                and not (before.`c3` between -62135596800000000 and 253402300799999999)
                                then
                                    get(
                                        transform(
                                            array(
                                                struct(
                                                    date_from_unix_date(
                                                        cast(floor(before.`c3` / 86400000000BD) as int)
                                                    ) as day,
                                                    pmod(before.`c3`, 86400000000L) as fraction
                                                )
                                            ),
                                            m -> concat(
                                                lpad(
                                                    if(year(m.day) > 0, year(m.day), 1 - year(m.day)),
                                                    greatest(4, length(abs(year(m.day)))),
                                                    '0'
                                                ),
                                                '-',
                                                lpad(month(m.day), 2, '0'),
                                                '-',
                                                lpad(day(m.day), 2, '0'),
                                                ' ',
                                                concat(
                                                    if(m.fraction < 36000000000, '0', ''),
                                                    cast(m.fraction div 3600000000 as string),
                                                    ':',
                                                    lpad(cast(m.fraction div 60000000 % 60 as string), 2, '0'),
                                                    ':',
                                                    lpad(cast(m.fraction div 1000000 % 60 as string), 2, '0'),
                                                    if(
                                                        m.fraction % 1000000 = 0,
                                                        '',
                                                        concat(
                                                            '.',
                                                            rtrim(
                                                                '0', lpad(cast(m.fraction % 1000000 as string), 6, '0')
                                                            )
                                                        )
                                                    )
                                                ),
                                                if(year(m.day) > 0, '', ' BC')
                                            )
                                        ),
                                        0
                                    )
                        end
                    ),
                    map('ignoreNullFields', 'true')
                ),
                '{}'
            ),
            ''
        )) end as _cdc_before_hash,
        case when position is null then to_json(named_struct('scn', source.scn)) end as _cdc_reported_place,
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
                                                array('c1', 'c2', 'c3')
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
                                when size(array_except(json_object_keys(record_value), array('c1', 'c2', 'c3'))) = 0
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
        cast(c1 as string) as _cdc_key,
        coalesce(_cdc_previous_key, nullif(_cdc_key_before, _cdc_key)) as _cdc_previous_key,
        xxhash64(
            c1, isnull(c1), c2, isnull(c2), c3, isnull(c3), coalesce(_cdc_unknown, ''), coalesce(_cdc_special, '')
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
    c1,
    c2,
    c3,
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
                                    _cdc_image.`c1` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['c1'] is not null,
                                    concat(
                                        'c1: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['c1'], 200),
                                        ' does not fit number(10,2) under decimal_handling_mode string'
                                    ),
                                    null
                                ),
                                if(
                                    _cdc_image.`c2` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['c2'] is not null,
                                    concat(
                                        'c2: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['c2'], 200),
                                        ' does not fit varchar2(20)'
                                    ),
                                    null
                                ),
                                if(
                                    _cdc_image.`c3` is null
                                    and from_json(_cdc_image_text, 'map<string, string>')['c3'] is not null,
                                    concat(
                                        'c3: ',
                                        left(from_json(_cdc_image_text, 'map<string, string>')['c3'], 200),
                                        ' does not fit timestamp(6)'
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
                    concat_ws(', ', if(c1 is null, 'c1', null)),
                    '; fields of the row: ',
                    coalesce(to_json(slice(_cdc_fields, 1, 20)), 'none')
                )
    end as _cdc_detail,
    if(_cdc_verdict like 'refused%', _cdc_record_key, null) as _cdc_record_key,
    if(_cdc_verdict like 'refused%', _cdc_record_value, null) as _cdc_record_value
from judged
