-- change log of shop.products, made by afterimage.change_log
-- contract: models/staging/shop/_shop__sources.yml (connector postgresql, format debezium_json)
-- after batch 0 (next is 1, generation <drawn by the run>), waiting: all landed records, 0 operator events
-- looked for in all of landing; decided: {"fingerprint": "135af5404c714cb2ff80975f12397647", "high": 0, "low": 0, "records": 0, "upto": [], "version": null}
with

landed as (
    -- routed by topic alone: nothing is parsed to know whose record it is
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        if(startswith(cast(key as string), '"{'), coalesce(get_json_object(concat('[', cast(key as string), ']'), '$[0]'), cast(key as string)), cast(key as string)) as record_key,
        if(startswith(cast(value as string), '"{'), coalesce(get_json_object(concat('[', cast(value as string), ']'), '$[0]'), cast(value as string)), cast(value as string)) as record_value
    from landing.shop_events
    where
        topic = 'pg1.shop.products'
),

new_records as (
    select * from landed
),

parsed as (
    select
        new_records.*,
        record_value rlike '\\A(?:\\{"before":(?:null|\\{"sku":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"name":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"price":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"weight":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"attributes":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"tags":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"category":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"description":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\})\\}),"after":(?:null|\\{"sku":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"name":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"price":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"weight":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"attributes":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"tags":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"category":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"description":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\})\\}),"source":(?:\\{[^{}]*\\}|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\})(?:,"transaction":(?:null|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}))?+,"op":"[a-z]"(?:,"ts_[mun]s":[^,}]+)*+(?:,"transaction":(?:null|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}))?+\\}|\\{"schema":[^"]*(?:"(?!(?:schema|payload|op|before|after|source)":)[^"]*)*+(?<=,)"payload":\\{"before":(?:null|\\{"sku":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"name":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"price":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"weight":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"attributes":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"tags":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"category":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"description":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\})\\}),"after":(?:null|\\{"sku":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"name":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"price":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"weight":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"attributes":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"tags":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"category":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}),"description":(?:"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"|[^,"\\[\\]{}]+|\\[(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\]|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\})\\}),"source":(?:\\{[^{}]*\\}|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\})(?:,"transaction":(?:null|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}))?+,"op":"[a-z]"(?:,"ts_[mun]s":[^,}]+)*+(?:,"transaction":(?:null|\\{(?:[^\\[\\]{}"]+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+")*+\\}))?+\\}\\})\\z' as is_plain,
        struct(get(parsed_value.documents, 0) as document, size(parsed_value.documents) = 1 as is_one, parsed_value.corrupt as corrupt) as record
    from new_records
        lateral view explode(array(from_json(
            concat('{"documents":[', record_value, ']}'),
            'documents array<struct<op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, source: struct<`ts_ms`: string, `ts_us`: string, `ts_ns`: string, `snapshot`: string, `name`: string, `lsn`: string, `sequence`: string, `txId`: string, `schema`: string, `table`: string>, before: struct<`sku`: string, `name`: string, `price`: string, `weight`: string, `attributes`: string, `tags`: array<string>, `category`: string, `description`: string>, after: struct<`sku`: string, `name`: string, `price`: string, `weight`: string, `attributes`: string, `tags`: array<string>, `category`: string, `description`: string>, payload: struct<op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, source: struct<`ts_ms`: string, `ts_us`: string, `ts_ns`: string, `snapshot`: string, `name`: string, `lsn`: string, `sequence`: string, `txId`: string, `schema`: string, `table`: string>, before: struct<`sku`: string, `name`: string, `price`: string, `weight`: string, `attributes`: string, `tags`: array<string>, `category`: string, `description`: string>, after: struct<`sku`: string, `name`: string, `price`: string, `weight`: string, `attributes`: string, `tags`: array<string>, `category`: string, `description`: string>>>>, corrupt string',
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
        record_value is null as is_tombstone,
        coalesce(record.is_one, false) and record.document is not null as is_object,
        record.corrupt is not null as is_corrupt,
        record.document.payload.op is not null as has_schema,
        case when is_plain then false else (((locate('"op":', record_value, locate('"op":', record_value) + 1) > locate('"op":', record_value)) or (locate('"before":', record_value, locate('"before":', record_value) + 1) > locate('"before":', record_value)) or (locate('"after":', record_value, locate('"after":', record_value) + 1) > locate('"after":', record_value)) or (locate('"source":', record_value, locate('"source":', record_value) + 1) > locate('"source":', record_value))) and (size(coalesce(json_object_keys(record_value), array())) <> size(array_distinct(coalesce(json_object_keys(record_value), array()))) or size(coalesce(json_object_keys(get_json_object(record_value, '$.payload')), array())) <> size(array_distinct(coalesce(json_object_keys(get_json_object(record_value, '$.payload')), array()))))) end as repeats_key,
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
        is_plain,
        -- of no use where all is as expected
        case when not is_plain or record.corrupt is not null then coalesce(get_json_object(record_value, '$.after'), get_json_object(record_value, '$.before'), get_json_object(record_value, '$.payload.after'), get_json_object(record_value, '$.payload.before')) end as image_text
    from parsed
),

images as (
    -- the row a record speaks of: before it for a delete, after it for all else
    select
        envelope.*,
        case when op = 'd' then coalesce(before, if(from_json(if(get_json_object(record_key, '$.schema.type') = 'struct' or record_key rlike '\\A\\{"schemaId":[0-9]+,"payload":\\{', get_json_object(record_key, '$.payload'), record_key), 'struct<`sku`: string, `name`: string, `price`: string, `weight`: string, `attributes`: string, `tags`: array<string>, `category`: string, `description`: string>').sku is not null, from_json(if(get_json_object(record_key, '$.schema.type') = 'struct' or record_key rlike '\\A\\{"schemaId":[0-9]+,"payload":\\{', get_json_object(record_key, '$.payload'), record_key), 'struct<`sku`: string, `name`: string, `price`: string, `weight`: string, `attributes`: string, `tags`: array<string>, `category`: string, `description`: string>'), null)) when op in ('c', 'r', 'u', 'x') then after end as image,
        json_object_keys(image_text) as fields,
        case when not is_plain and not (array_contains(json_object_keys(image_text), 'sku')) then from_json(if(get_json_object(record_key, '$.schema.type') = 'struct' or record_key rlike '\\A\\{"schemaId":[0-9]+,"payload":\\{', get_json_object(record_key, '$.payload'), record_key), 'struct<`sku`: string>') end as key_beside,
        is_plain or coalesce(json_object_keys(image_text) = array('sku', 'name', 'price', 'weight', 'attributes', 'tags', 'category', 'description'), false) as is_whole,
        lpad(cast(coalesce(try_cast(source.lsn as bigint), try_cast(translate(split_part(source.sequence, ',', 2), '[]" ', '') as bigint)) as string), 20, '0') as position,
        case
            when source.snapshot is null or source.snapshot = 'false' then if(op = 'r', 'unknown', 'none')
            when source.snapshot in ('incremental', 'blocking', 'backfill') then source.snapshot
            when source.snapshot in ('true', 'first', 'first_in_data_collection', 'last_in_data_collection', 'last') then 'initial'
            else 'unknown'
        end as snapshot,
        case when cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string) is not null then from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.schema.type') = 'struct' or cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string) rlike '\\A\\{"schemaId":[0-9]+,"payload":\\{', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.oldkey') as int) - 1) as string)), 'struct<`sku`: string>', map('allowUnquotedControlChars', 'true')).sku end as old_key,
        case when cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string) is not null then from_json(if(get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.schema.type') = 'struct' or cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string) rlike '\\A\\{"schemaId":[0-9]+,"payload":\\{', get_json_object(cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string), '$.payload'), cast(get(headers.value, cast(array_position(headers.key, '__debezium.newkey') as int) - 1) as string)), 'struct<`sku`: string>', map('allowUnquotedControlChars', 'true')).sku end as new_key
    from envelope
),

decoded as (
    -- from here on the columns of the row stand beside ours, which therefore all begin with _cdc_
    select
        case when if(key_beside is null or array_contains(fields, 'sku'), image.`sku`, key_beside.`sku`) = '__debezium_unavailable_value' then null else if(key_beside is null or array_contains(fields, 'sku'), image.`sku`, key_beside.`sku`) end as sku,
        case when op = 'd' or image.`name` = '__debezium_unavailable_value' then null else image.`name` end as name,
        case when op = 'd' then null else try_cast(image.`price` as decimal(12,2)) end as price,
        case when op = 'd' or image.`weight` = '__debezium_unavailable_value' then null else coalesce(case image.`weight` when 'NaN' then 'NaN' when 'NAN' then 'NaN' when 'POSITIVE_INFINITY' then 'Infinity' when 'NEGATIVE_INFINITY' then '-Infinity' end, if(image.`weight` rlike '[eE]', concat(if(concat(if(image.`weight` like '-%', '-', ''), coalesce(nullif(ltrim('0', concat(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 1), regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2))), ''), '0')) like '-%', '-', ''), case when (length(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2)) - try_cast(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 3) as int)) > 0 then concat(left(lpad(ltrim('-', concat(if(image.`weight` like '-%', '-', ''), coalesce(nullif(ltrim('0', concat(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 1), regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2))), ''), '0'))), greatest(length(ltrim('-', concat(if(image.`weight` like '-%', '-', ''), coalesce(nullif(ltrim('0', concat(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 1), regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2))), ''), '0')))), (length(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2)) - try_cast(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 3) as int)) + 1), '0'), length(lpad(ltrim('-', concat(if(image.`weight` like '-%', '-', ''), coalesce(nullif(ltrim('0', concat(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 1), regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2))), ''), '0'))), greatest(length(ltrim('-', concat(if(image.`weight` like '-%', '-', ''), coalesce(nullif(ltrim('0', concat(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 1), regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2))), ''), '0')))), (length(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2)) - try_cast(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 3) as int)) + 1), '0')) - (length(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2)) - try_cast(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 3) as int))), '.', right(lpad(ltrim('-', concat(if(image.`weight` like '-%', '-', ''), coalesce(nullif(ltrim('0', concat(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 1), regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2))), ''), '0'))), greatest(length(ltrim('-', concat(if(image.`weight` like '-%', '-', ''), coalesce(nullif(ltrim('0', concat(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 1), regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2))), ''), '0')))), (length(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2)) - try_cast(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 3) as int)) + 1), '0'), (length(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2)) - try_cast(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 3) as int)))) else concat(ltrim('-', concat(if(image.`weight` like '-%', '-', ''), coalesce(nullif(ltrim('0', concat(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 1), regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2))), ''), '0'))), if(ltrim('-', concat(if(image.`weight` like '-%', '-', ''), coalesce(nullif(ltrim('0', concat(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 1), regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2))), ''), '0'))) = '0', '', repeat('0', -((length(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 2)) - try_cast(regexp_extract(image.`weight`, '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', 3) as int)))))) end), ltrim('+', image.`weight`))) end as weight,
        case when op = 'd' or image.`attributes` = '__debezium_unavailable_value' then null else image.`attributes` end as attributes,
        case when op = 'd' or size(image.`tags`) = 1 and get(image.`tags`, 0) = '__debezium_unavailable_value' then null else image.`tags` end as tags,
        case when op = 'd' or image.`category` = '__debezium_unavailable_value' then null else image.`category` end as category,
        case when op = 'd' or image.`description` = '__debezium_unavailable_value' then null else image.`description` end as description,
        case when op in ('c', 'r', 'u', 'x') and image is not null and (not is_whole or if(key_beside is null or array_contains(fields, 'sku'), image.`sku`, key_beside.`sku`) = '__debezium_unavailable_value' or image.`name` = '__debezium_unavailable_value' or image.`weight` = '__debezium_unavailable_value' or image.`attributes` = '__debezium_unavailable_value' or size(image.`tags`) = 1 and get(image.`tags`, 0) = '__debezium_unavailable_value' or image.`category` = '__debezium_unavailable_value' or image.`description` = '__debezium_unavailable_value') then nullif(concat('[', concat_ws(',', if(false, '"sku"', null), if(((not is_whole and not array_contains(fields, 'name')) or image.`name` = '__debezium_unavailable_value'), '"name"', null), if(((not is_whole and not array_contains(fields, 'price'))), '"price"', null), if(((not is_whole and not array_contains(fields, 'weight')) or image.`weight` = '__debezium_unavailable_value'), '"weight"', null), if(((not is_whole and not array_contains(fields, 'attributes')) or image.`attributes` = '__debezium_unavailable_value'), '"attributes"', null), if(((not is_whole and not array_contains(fields, 'tags')) or size(image.`tags`) = 1 and get(image.`tags`, 0) = '__debezium_unavailable_value'), '"tags"', null), if(((not is_whole and not array_contains(fields, 'category')) or image.`category` = '__debezium_unavailable_value'), '"category"', null), if(((not is_whole and not array_contains(fields, 'description')) or image.`description` = '__debezium_unavailable_value'), '"description"', null)), ']'), '[]') end as _cdc_unknown,
        case when coalesce(case when op <> 'd' then case image.`price` when 'NaN' then 'NaN' when 'NAN' then 'NaN' when 'POSITIVE_INFINITY' then 'Infinity' when 'NEGATIVE_INFINITY' then '-Infinity' end end) is not null then to_json(named_struct('price', case when op <> 'd' then case image.`price` when 'NaN' then 'NaN' when 'NAN' then 'NaN' when 'POSITIVE_INFINITY' then 'Infinity' when 'NEGATIVE_INFINITY' then '-Infinity' end end), map('ignoreNullFields', 'true')) end as _cdc_special,
        case when not is_whole and size(array_except(fields, array('sku', 'name', 'price', 'weight', 'attributes', 'tags', 'category', 'description'))) > 0 then coalesce(to_json(map_filter(from_json(image_text, 'map<string, variant>'), (name, value) -> array_contains(array_except(fields, array('sku', 'name', 'price', 'weight', 'attributes', 'tags', 'category', 'description')), name))), to_json(map_filter(from_json(image_text, 'map<string, string>'), (name, value) -> array_contains(array_except(fields, array('sku', 'name', 'price', 'weight', 'attributes', 'tags', 'category', 'description')), name)))) end as _cdc_extra,
        nullif(concat_ws('; ', if(op <> 'd' and image.`price` is not null and not (image.`price` rlike '^-?[0-9]+([.][0-9]{0,2})?$' and try_cast(image.`price` as decimal(12,2)) is not null) and case image.`price` when 'NaN' then 'NaN' when 'NAN' then 'NaN' when 'POSITIVE_INFINITY' then 'Infinity' when 'NEGATIVE_INFINITY' then '-Infinity' end is null and (try_cast(image.`price` as decimal(12,2)) is null or image.`price` rlike '[^-+.0-9eE]' or if(ltrim('0', concat(regexp_extract(image.`price`, '^[-+]?([0-9]*)[.]?([0-9]*)', 1), regexp_extract(image.`price`, '^[-+]?([0-9]*)[.]?([0-9]*)', 2))) = '', 0, if(rtrim('0', regexp_extract(image.`price`, '^[-+]?([0-9]*)[.]?([0-9]*)', 2)) = '', length(rtrim('0', regexp_extract(image.`price`, '^[-+]?([0-9]*)[.]?([0-9]*)', 1))) - length(regexp_extract(image.`price`, '^[-+]?([0-9]*)[.]?([0-9]*)', 1)), length(rtrim('0', regexp_extract(image.`price`, '^[-+]?([0-9]*)[.]?([0-9]*)', 2)))) - coalesce(try_cast(coalesce(nullif(regexp_extract(image.`price`, '[eE]([-+]?[0-9]+)$', 1), ''), '0') as int), -99999)) > 2), concat('price: ', left(to_json(named_struct('v', image.`price`)), 200), ' does not fit numeric(12,2)'), null), if(op <> 'd' and not ((not is_whole and not array_contains(fields, 'weight')) or image.`weight` = '__debezium_unavailable_value') and image.`weight` is not null and case image.`weight` when 'NaN' then 'NaN' when 'NAN' then 'NaN' when 'POSITIVE_INFINITY' then 'Infinity' when 'NEGATIVE_INFINITY' then '-Infinity' end is null and not image.`weight` rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,5})?$' and image.`weight` <> '__debezium_unavailable_value', concat('weight: ', left(to_json(named_struct('v', image.`weight`)), 200), ' does not fit numeric'), null)), '') as _cdc_misfits,
        op as _cdc_op,
        coalesce(old_key, new_key) as _cdc_previous_key,
        cast(null as bigint) as _cdc_before_hash,
        position as _cdc_position,
        case when position is null then to_json(named_struct('lsn', source.lsn)) end as _cdc_place_told,
        timestamp_micros(coalesce(try_cast(source.ts_us as bigint), try_multiply(try_cast(source.ts_ms as bigint), 1000))) as _cdc_source_ts,
        try_cast(source.ts_ns as bigint) as _cdc_source_ts_ns,
        timestamp_micros(processed_us) as _cdc_processed_ts,
        timestamp as _cdc_landed_ts,
        topic as _cdc_topic,
        partition as _cdc_partition,
        offset as _cdc_offset,
        concat_ws('.', source.name, source.schema, source.table) as _cdc_source_table,
        coalesce(source.txId, substring_index(transaction.id, ':', 1)) as _cdc_tx_id,
        try_cast(transaction.total_order as bigint) as _cdc_tx_order,
        lpad(cast(try_cast(translate(split_part(source.sequence, ',', 1), '[]" ', '') as bigint) as string), 20, '0') as _cdc_committed_after,
        snapshot as _cdc_snapshot,
        trim('"', cast(get(headers.value, cast(array_position(headers.key, '__debezium.context.runId') as int) - 1) as string)) as _cdc_connector_run,
        image as _cdc_image,
        image_text as _cdc_image_text,
        fields as _cdc_fields,
        is_object as _cdc_is_object,
        is_corrupt as _cdc_is_corrupt,
        is_tombstone as _cdc_is_tombstone,
        repeats_key as _cdc_repeats_key,
        fault as _cdc_fault,
        source is not null as _cdc_has_source,
        record_key as _cdc_record_key,
        record_value as _cdc_record_value
    from images
),

keyed as (
    select
        *,
        sku as _cdc_key,
        xxhash64(sku, isnull(sku), name, isnull(name), price, isnull(price), weight, isnull(weight), attributes, isnull(attributes), to_json(tags), isnull(tags), category, isnull(category), description, isnull(description), coalesce(_cdc_unknown, ''), coalesce(_cdc_special, '')) as _cdc_image_hash
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
    sku,
    name,
    price,
    weight,
    attributes,
    tags,
    category,
    description,
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
    _cdc_special,
    _cdc_extra,
    concat_ws('.', _cdc_position, if(_cdc_snapshot = 'none', '1', '0'), lpad(cast(coalesce(_cdc_tx_order, 0) as string), 10, '0'), if(_cdc_op = 'd', '0', '1'), lpad(cast(_cdc_partition as string), 6, '0'), lpad(cast(_cdc_offset as string), 20, '0')) as _cdc_order,
    concat_ws(':', _cdc_position, _cdc_op, coalesce(cast(_cdc_tx_order as string), ''), translate(hex(xxhash64(_cdc_key, _cdc_image_hash)), 'ABCDEF', 'abcdef')) as _cdc_event_id,
    substring_index(_cdc_verdict, ' ', 1) as _cdc_outcome,
    nullif(substring_index(_cdc_verdict, ' ', -1), 'accepted') as _cdc_kind,
    case
        when _cdc_verdict = 'refused value_does_not_fit' then coalesce(_cdc_misfits, coalesce(nullif(concat_ws('; ', if(_cdc_image.`sku` is null and from_json(_cdc_image_text, 'map<string, string>')['sku'] is not null, concat('sku: ', left(from_json(_cdc_image_text, 'map<string, string>')['sku'], 200), ' does not fit uuid'), null), if(_cdc_image.`name` is null and from_json(_cdc_image_text, 'map<string, string>')['name'] is not null, concat('name: ', left(from_json(_cdc_image_text, 'map<string, string>')['name'], 200), ' does not fit text'), null), if(_cdc_image.`price` is null and from_json(_cdc_image_text, 'map<string, string>')['price'] is not null, concat('price: ', left(from_json(_cdc_image_text, 'map<string, string>')['price'], 200), ' does not fit numeric(12,2)'), null), if(_cdc_image.`weight` is null and from_json(_cdc_image_text, 'map<string, string>')['weight'] is not null, concat('weight: ', left(from_json(_cdc_image_text, 'map<string, string>')['weight'], 200), ' does not fit numeric'), null), if(_cdc_image.`attributes` is null and from_json(_cdc_image_text, 'map<string, string>')['attributes'] is not null, concat('attributes: ', left(from_json(_cdc_image_text, 'map<string, string>')['attributes'], 200), ' does not fit jsonb'), null), if(_cdc_image.`tags` is null and from_json(_cdc_image_text, 'map<string, string>')['tags'] is not null, concat('tags: ', left(from_json(_cdc_image_text, 'map<string, string>')['tags'], 200), ' does not fit text[]'), null), if(_cdc_image.`category` is null and from_json(_cdc_image_text, 'map<string, string>')['category'] is not null, concat('category: ', left(from_json(_cdc_image_text, 'map<string, string>')['category'], 200), ' does not fit enum'), null), if(_cdc_image.`description` is null and from_json(_cdc_image_text, 'map<string, string>')['description'] is not null, concat('description: ', left(from_json(_cdc_image_text, 'map<string, string>')['description'], 200), ' does not fit text'), null)), ''), 'a literal beside the row is of another JSON kind: in the row before it, in source or in transaction'))
        when _cdc_verdict = 'refused wrong_envelope' then _cdc_fault
        when _cdc_verdict = 'refused missing_position' then _cdc_place_told
        when _cdc_verdict = 'refused unknown_op' then concat('op: ', _cdc_op)
        when _cdc_verdict = 'refused duplicate_json_key' then if(_cdc_repeats_key, 'a key of the envelope stands twice', concat('fields: ', to_json(_cdc_fields)))
    end as _cdc_detail,
    if(_cdc_verdict like 'refused%', _cdc_record_key, null) as _cdc_record_key,
    if(_cdc_verdict like 'refused%', _cdc_record_value, null) as _cdc_record_value
from judged
