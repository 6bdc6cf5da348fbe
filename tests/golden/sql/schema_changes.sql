-- schema changes of shop, made by afterimage.schema_changes
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
    where topic in ('pg1', 'pg1-signal')
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

messages as (
    select
        topic,
        partition,
        offset,
        timestamp,
        'topic' as reported_by,
        from_json(
            get_json_object(record_value, '$.source'),
            '`ts_ms` string, `ts_us` string, `ts_ns` string, `snapshot` string, `name` string, `lsn` string, `sequence` string, `txId` string, `schema` string, `table` string'
        ) as source,
        get_json_object(record_value, '$.databaseName') as database_name,
        get_json_object(record_value, '$.schemaName') as schema_name,
        get_json_object(record_value, '$.ddl') as ddl,
        get_json_object(record_value, '$.tableChanges') as changes_text,
        try_cast(get_json_object(record_value, '$.ts_ms') as bigint) as processed_ms,
        case
            when record_value is null then 'no value'
            when json_object_keys(record_value) is null then 'broken JSON'
            when get_json_object(record_value, '$.source') is null
                or not array_contains(json_object_keys(record_value), 'tableChanges')
                then 'no schema change'
        end as fault
    from control_records
    where topic = 'pg1'
    union all
    select
        topic,
        partition,
        offset,
        timestamp,
        'signal',
        from_json(
            source_text,
            '`ts_ms` string, `ts_us` string, `ts_ns` string, `snapshot` string, `name` string, `lsn` string, `sequence` string, `txId` string, `schema` string, `table` string'
        ),
        get_json_object(data, '$.database'),
        get_json_object(data, '$.schema'),
        cast(null as string),
        get_json_object(data, '$.changes'),
        cast(null as bigint),
        if(get_json_object(data, '$.changes') is null, 'no schema change', null)
    from signal_records
    where type = 'schema-changes' and coalesce(op, 'c') <> 'd'
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
        '' as epoch,
        coalesce(source.snapshot not in ('false', ''), false) as is_snapshot,
        -- 0 is not a time: tables found by a snapshot have none
        timestamp_micros(
            nullif(coalesce(try_cast(source.ts_us as bigint), try_multiply(try_cast(source.ts_ms as bigint), 1000)), 0)
        ) as changed_at,
        from_json(
            changes_text,
            'array<struct<type: string, id: string, `table`: struct<primaryKeyColumnNames: array<string>, columns: array<struct<name: string, typeName: string, typeExpression: string, charsetName: string, length: int, scale: int, `position`: int, optional: boolean, autoIncremented: boolean, generated: boolean, comment: string, defaultValueExpression: string, enumValues: array<string>>>, comment: string>>>'
        ) as table_changes,
        transform(
            split(
                array_join(
                    transform(
                        regexp_extract_all(
                            ddl, '(?s)\'[^\']*+\'|"[^"]*+"|`[^`]*+`|/[*].*?[*]/|--[^\\n]*+|[^;\'"`/*#-]++|.', 0
                        ),
                        token -> case
                            when token = ';' then chr(1) when token rlike '^(?:\'|/[*]|[*]/|--)' then ' ' else token
                        end
                    ),
                    ''
                ),
                chr(1)
            ),
            each -> trim(regexp_replace(regexp_replace(each, '\\s+', ' '), '(?i) (?:wait [0-9]+|nowait)\\b', ''))
        ) as statements
    from (
        select
            *,
            cast(null as struct<id: string, total_order: string>) as transaction
        from messages
    ) as with_transaction
),

changed_tables as (
    -- the structures in the message
    select
        topic,
        partition,
        offset,
        timestamp,
        change_number,
        change.type as type,
        -- "db"."old","db"."new"
        replace(
            regexp_replace(
                regexp_extract(change.id, '((?:"(?:[^"]|"")*"|[^",.]+)(?:[.](?:"(?:[^"]|"")*"|[^",.]+))*)$', 1),
                '"((?:[^"]|"")*)"',
                '$1'
            ),
            '""',
            '"'
        ) as table_in_source,
        nullif(
            replace(
                regexp_replace(
                    regexp_extract(change.id, '^((?:"(?:[^"]|"")*"|[^",.]+)(?:[.](?:"(?:[^"]|"")*"|[^",.]+))*),.', 1),
                    '"((?:[^"]|"")*)"',
                    '$1'
                ),
                '""',
                '"'
            ),
            ''
        ) as former_table,
        change.table as reported_table
    from placed
        lateral view posexplode(table_changes) as change_number, change
),

spoken as (
    -- what only the statements say
    select
        topic,
        partition,
        offset,
        timestamp,
        statement_number,
        statement,
        case
            when
                statement rlike '(?i)^truncate (?:table )?(?:only )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++(?: ?, ?(?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)*).*$'
                then 'truncate'
            when
                statement rlike '(?i)^drop tables? (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++(?: ?, ?(?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)*).*$'
                then 'drop'
            when
                statement rlike '(?i)^drop (?:database|schema) (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++).*$'
                then 'drop database'
            when
                statement rlike '(?i)^create or replace table (?:if not exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++).*$'
                then 'replaced'
            when
                statement rlike '(?i)^rename (?!(?:user|index|tablespace|stogroup) (?!to ))(?:tables? )?(?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++ to (?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++(?: ?, ?(?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++ to (?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)*)$'
                then 'rename'
            when
                statement rlike '(?i)^alter (?:online |ignore )*table (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++) (?:.*, ?)?rename (?!(?:column|index|key|constraint|(?:sub)?partition) )(?:to |as |= ?)?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)(?: ?,.*)?$'
                then 'rename one'
            when
                statement rlike '(?i)^alter (?:online |ignore )*table (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++) exchange (?:sub)?partition .* with table ((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++).*$'
                then 'partition exchanged'
            when
                statement rlike '(?i)^alter (?:online |ignore )*table (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++) (?:(?:truncate|drop|discard|detach) (?:sub)?partitions?|convert partition) .*$'
                then 'partition emptied'
        end as verb,
        database_name,
        schema_name
    from placed
        lateral view posexplode(statements) as statement_number, statement
),

pairs as (
    select
        topic,
        partition,
        offset,
        timestamp,
        1000 * (1 + statement_number) + pair_number as change_number,
        verb,
        database_name,
        schema_name,
        regexp_extract(pair, '^((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)', 1) as first_name,
        regexp_extract(
            pair,
            '^(?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++ (?i:to) ((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)$',
            1
        ) as second_name
    from (
        select
            *,
            case verb
                when 'truncate'
                    then
                        regexp_replace(
                            statement,
                            '(?i)^truncate (?:table )?(?:only )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++(?: ?, ?(?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)*).*$',
                            '$1'
                        )
                when 'drop'
                    then
                        regexp_replace(
                            statement,
                            '(?i)^drop tables? (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++(?: ?, ?(?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)*).*$',
                            '$1'
                        )
                when 'drop database'
                    then
                        regexp_replace(
                            statement,
                            '(?i)^drop (?:database|schema) (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++).*$',
                            '$1'
                        )
                when 'replaced'
                    then
                        regexp_replace(
                            statement,
                            '(?i)^create or replace table (?:if not exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++).*$',
                            '$1'
                        )
                when 'rename'
                    then
                        regexp_replace(
                            statement,
                            '(?i)^rename (?!(?:user|index|tablespace|stogroup) (?!to ))(?:tables? )?(?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++ to (?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++(?: ?, ?(?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++ to (?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)*)$',
                            '$1'
                        )
                when 'rename one'
                    then
                        regexp_replace(
                            statement,
                            '(?i)^alter (?:online |ignore )*table (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++) (?:.*, ?)?rename (?!(?:column|index|key|constraint|(?:sub)?partition) )(?:to |as |= ?)?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)(?: ?,.*)?$',
                            '$1 to $2'
                        )
                when 'partition exchanged'
                    then
                        regexp_replace(
                            statement,
                            '(?i)^alter (?:online |ignore )*table (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++) exchange (?:sub)?partition .* with table ((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++).*$',
                            '$1,$2'
                        )
                when 'partition emptied'
                    then
                        regexp_replace(
                            statement,
                            '(?i)^alter (?:online |ignore )*table (?:if exists )?((?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++) (?:(?:truncate|drop|discard|detach) (?:sub)?partitions?|convert partition) .*$',
                            '$1'
                        )
            end as objects
        from spoken
        where verb is not null
    ) as with_objects
        lateral view posexplode(
            regexp_extract_all(
                objects,
                '(?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++(?: (?i:to) (?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++)?',
                0
            )
        ) as pair_number, pair
),

named as (
    select
        topic,
        partition,
        offset,
        timestamp,
        change_number,
        case verb
            when 'rename one' then 'rename' when 'partition exchanged' then 'partition emptied' else verb
        end as verb,
        case
            when verb = 'drop database' or first_name = '' or first_name like '%.%.%'
                then regexp_replace(first_name, '["`\\[\\]]', '')
            when first_name like '%.%'
                then concat_ws('.', nullif(database_name, ''), regexp_replace(first_name, '["`\\[\\]]', ''))
            else
                concat_ws(
                    '.',
                    nullif(database_name, ''),
                    nullif(schema_name, ''),
                    regexp_replace(first_name, '["`\\[\\]]', '')
                )
        end as first_table,
        nullif(
            case
                when verb = 'drop database' or second_name = '' or second_name like '%.%.%'
                    then regexp_replace(second_name, '["`\\[\\]]', '')
                when second_name like '%.%'
                    then concat_ws('.', nullif(database_name, ''), regexp_replace(second_name, '["`\\[\\]]', ''))
                else
                    concat_ws(
                        '.',
                        nullif(database_name, ''),
                        nullif(schema_name, ''),
                        regexp_replace(second_name, '["`\\[\\]]', '')
                    )
            end,
            ''
        ) as second_table
    from pairs
),

all_changes as (
    select
        changed_tables.topic,
        changed_tables.partition,
        changed_tables.offset,
        changed_tables.timestamp,
        changed_tables.change_number,
        case
            when coalesce(changed_tables.former_table, named.first_table) is not null then 'rename'
            when changed_tables.type = 'CREATE' then 'create'
            when changed_tables.type = 'ALTER' then 'alter'
            when changed_tables.type = 'DROP' then 'drop'
            when changed_tables.type = 'TRUNCATE' then 'truncate'
            else 'other'
        end as change,
        changed_tables.table_in_source,
        coalesce(changed_tables.former_table, named.first_table) as former_table,
        changed_tables.reported_table
    from changed_tables
    left join named
        on
            changed_tables.topic = named.topic
            and changed_tables.partition = named.partition
            and changed_tables.offset = named.offset
            and changed_tables.timestamp <=> named.timestamp
            and named.verb = 'rename'
            and changed_tables.table_in_source = named.second_table
            and changed_tables.table_in_source <> named.first_table
    union all
    select
        named.topic,
        named.partition,
        named.offset,
        named.timestamp,
        named.change_number,
        named.verb,
        coalesce(named.second_table, named.first_table),
        if(named.second_table is not null, named.first_table, null),
        null
    from named
    left anti join changed_tables
        on
            named.topic = changed_tables.topic
            and named.partition = changed_tables.partition
            and named.offset = changed_tables.offset
            and named.timestamp <=> changed_tables.timestamp
            and coalesce(named.second_table, named.first_table) = changed_tables.table_in_source
            and (
                named.second_table is not null
                or changed_tables.type = case named.verb when 'drop' then 'DROP' when 'truncate' then 'TRUNCATE' end
            )
),

declared as (
    select distinct
        'carts' as table_name,
        concat('.', substring_index(_cdc_source_table, '.', 1 - size(split(_cdc_source_table, '[.]')))) as suffix
    from afterimage.stg_shop__carts
    where _cdc_source_table like '%.%'
    union
    select distinct
        'orders' as table_name,
        concat('.', substring_index(_cdc_source_table, '.', 1 - size(split(_cdc_source_table, '[.]')))) as suffix
    from afterimage.stg_shop__orders
    where _cdc_source_table like '%.%'
    union
    select
        'carts' as table_name,
        '.shop.carts' as suffix
    union
    select
        'orders',
        '.shop.orders'
),

emptied as (
    -- the last position at which a stream or an operator accounts for all rows, and the first one with any
    select
        'carts' as table_name,
        max(
            if(
                (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%'))),
                if(_cdc_op = 'o', _cdc_position, _cdc_position),
                null
            )
        ) as position,
        max(
            if(
                (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%'))),
                _cdc_source_ts,
                null
            )
        ) as emptied_at,
        min(if(_cdc_op in ('c', 'r', 'u', 'x'), _cdc_position, null)) as filled_from
    from afterimage.stg_shop__carts
    union all
    select
        'orders' as table_name,
        max(
            if(
                (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%'))),
                if(_cdc_op = 'o', _cdc_position, _cdc_position),
                null
            )
        ) as position,
        max(
            if(
                (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%'))),
                _cdc_source_ts,
                null
            )
        ) as emptied_at,
        min(if(_cdc_op in ('c', 'r', 'u', 'x'), _cdc_position, null)) as filled_from
    from afterimage.stg_shop__orders
),

reported_changes as (
    select
        placed.topic,
        placed.partition,
        placed.offset,
        placed.timestamp,
        placed.reported_by,
        all_changes.change_number,
        if(placed.fault is null, coalesce(all_changes.change, 'other'), null) as change,
        all_changes.table_in_source,
        all_changes.former_table,
        placed.database_name,
        placed.schema_name,
        placed.ddl,
        placed.position,
        placed.epoch,
        placed.changed_at,
        timestamp_millis(
            if(
                nullif(placed.processed_ms, 0) between -62135596800000 and 253402300799999,
                nullif(placed.processed_ms, 0),
                null
            )
        ) as processed_at,
        placed.is_snapshot,
        all_changes.reported_table,
        placed.changes_text,
        placed.fault
    from placed
    left join all_changes
        on
            placed.topic = all_changes.topic
            and placed.partition = all_changes.partition
            and placed.offset = all_changes.offset
            and placed.timestamp <=> all_changes.timestamp
),

known_names as (
    -- one row per table, whichever of its names is used
    select collect_set(named_struct('table_name', table_name, 'suffix', suffix)) as tables
    from declared
),

with_tables as (
    select
        reported_changes.*,
        array_distinct(transform(
            filter(
                known_names.tables,
                one -> endswith(concat('.', reported_changes.table_in_source), one.suffix)
                or (
                    reported_changes.change = 'drop database'
                    and startswith(one.suffix, concat('.', reported_changes.table_in_source, '.'))
                )
            ),
            one -> one.table_name
        )) as tables_known,
        array_distinct(transform(
            filter(
                known_names.tables,
                one -> endswith(concat('.', reported_changes.former_table), one.suffix)
            ),
            one -> one.table_name
        )) as formerly_known
    from reported_changes
    cross join known_names
),

matched as (
    select
        *,
        not is_snapshot and position is not null and row_number() over (
            partition by topic, position, is_snapshot, ddl, changes_text, change_number, table_name
            order by timestamp, partition, offset
        ) > 1 as is_repeat
    from with_tables
        lateral view outer explode(tables_known) as table_name
)

select
    'shop' as source_name,
    matched.topic,
    matched.partition,
    matched.offset,
    matched.timestamp as landed_at,
    matched.reported_by,
    matched.change_number,
    matched.change,
    matched.table_in_source,
    matched.former_table,
    matched.table_name,
    matched.database_name,
    matched.schema_name,
    matched.ddl,
    matched.position,
    matched.epoch,
    matched.changed_at,
    matched.processed_at,
    matched.is_snapshot,
    matched.is_repeat,
    if(
        matched.reported_table.columns is null,
        null,
        named_struct(
            'key',
            matched.reported_table.primaryKeyColumnNames,
            'columns',
            transform(
                array_sort(matched.reported_table.columns, (a, b) -> coalesce(a.position, 0) - coalesce(b.position, 0)),
                c -> named_struct(
                    'name',
                    c.name,
                    'type',
                    regexp_replace(
                        trim(
                            translate(
                                coalesce(c.typeExpression, c.typeName),
                                'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
                                'abcdefghijklmnopqrstuvwxyz'
                            )
                        ),
                        ' (?:identity|zerofill)(?: ?[(][^)]*[)])?',
                        ''
                    ),
                    'is_nullable',
                    c.optional,
                    'is_generated',
                    c.autoIncremented or c.generated,
                    'default_value',
                    c.defaultValueExpression,
                    'charset',
                    c.charsetName,
                    'comment',
                    c.comment,
                    'labels',
                    c.enumValues,
                    'place',
                    c.position
                )
            )
        )
    ) as structure,
    (
        matched.change in ('drop', 'truncate', 'drop database', 'partition emptied', 'replaced')
        or (
            matched.change = 'rename'
            and not array_contains(matched.formerly_known, matched.table_name)
            and not (
                substring_index(
                    matched.former_table, '.', -1
                ) rlike '^(?:LOG_MINING_FLUSH|log_mining_flush)(?:_.*)?$|^_.+_(?:gho|ghc|del|new|old)$|^(?:.+_CT|IBMSNAP_.+)$'
            )
            and coalesce(emptied.filled_from < concat(matched.epoch, matched.position), false)
        )
    )
    and not matched.is_snapshot
    and matched.table_name is not null
    -- a message without a position is compared by time
    and coalesce(
        emptied.position < concat(matched.epoch, matched.position),
        emptied.emptied_at < coalesce(matched.changed_at, matched.timestamp),
        true
    ) as is_alarm,
    matched.fault
from matched
left join emptied
    on matched.table_name = emptied.table_name
