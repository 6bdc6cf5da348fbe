-- contract drift of shop, made by afterimage.contract_drift
with

declared as (
    select 'carts' as table_name, 'id' as column_name, 'int' as declared_type, 'int' as type_name, '' as type_arguments
    union all
    select 'carts', 'owner', 'bigint', 'bigint', ''
    union all
    select 'carts', 'items', 'jsonb', 'text', ''
),

tables as (
    select 'carts' as table_name, 'pg1.shop.carts' as topic, 'id' as declared_key, 'pg1.shop.carts' as declared_topics
),

structures as (
    -- structures out of afterimage.stg_shop__orders, made by afterimage.table_structures
    with

    reported_changes as (
        select
            *,
            -- in a re-created topic offsets repeat, later
            concat_ws(
                '.',
                concat(epoch, coalesce(position, '')),
                lpad(coalesce(unix_micros(landed_at), 0), 20, '0'),
                lpad(partition, 6, '0'),
                lpad(offset, 20, '0'),
                lpad(coalesce(change_number, 0), 6, '0')
            ) as place_in_log
        from afterimage.stg_shop__orders
        where
            fault is null
            and not is_repeat
            and (structure is not null or (not is_snapshot and change in ('drop', 'rename')))
    ),

    with_given_names as (
        select
            source_name,
            topic,
            partition,
            offset,
            step as change,
            if(step = 'renamed', former_table, table_in_source) as table_in_source,
            if(step = 'renamed', table_in_source, former_table) as former_table,
            if(step = 'renamed', null, table_name) as table_name,
            ddl,
            position,
            changed_at,
            is_snapshot,
            if(step = 'renamed', null, structure) as structure,
            place_in_log
        from reported_changes
            lateral view explode(if(change = 'rename', array('renamed', 'rename'), array(change))) as step
    ),

    places as (
        -- per name: its structure at a position, and before it
        select
            table_in_source,
            place_in_log,
            lag(any_value(structure, true)) over (
                partition by table_in_source order by place_in_log
            ) as structure_before
        from with_given_names
        group by table_in_source, place_in_log
    ),

    steps as (
        -- a new name continues the structure of the former one, which ends at this position
        select
            happened.*,
            places.structure_before
        from with_given_names as happened
        left join places
            on
                if(happened.change = 'rename', happened.former_table, happened.table_in_source) = places.table_in_source
                and happened.place_in_log = places.place_in_log
    ),

    versions as (
        select
            *,
            sum(
                cast(
                    structure is not null
                    and (change = 'rename' or not to_json(structure) <=> to_json(structure_before)) as int
                )
            )
                over (partition by table_in_source order by place_in_log) as version
        from steps
    ),

    begun as (
        select
            source_name,
            table_in_source,
            -- a step that gives the name to another table has none
            max_by(table_name, place_in_log) filter (where table_name is not null) as table_name,
            version,
            min(place_in_log) as place_in_log,
            min_by(position, place_in_log) as position,
            min_by(changed_at, place_in_log) as changed_at,
            min_by(structure, place_in_log) as structure,
            -- a drop, or a rename
            min_by(position, place_in_log) filter (where structure is null) as gone_position,
            min(changed_at) filter (where structure is null) as gone_at,
            bool_or(structure is null) as is_gone
        from versions
        group by source_name, table_in_source, version
    ),

    ended as (
        select
            *,
            coalesce(
                gone_position, lead(position) over (partition by table_in_source order by place_in_log)
            ) as end_position,
            coalesce(gone_at, lead(changed_at) over (partition by table_in_source order by place_in_log)) as ended_at,
            not is_gone
            and lead(version) over (partition by table_in_source order by place_in_log) is null as is_current
        from begun
        where version > 0
    )

    select
        source_name,
        table_in_source,
        table_name,
        version,
        position,
        changed_at,
        end_position,
        ended_at,
        is_current,
        reported_column.name as column_name,
        reported_column.place,
        reported_column.type,
        array_contains(structure.key, reported_column.name) as is_key,
        nullif(array_position(structure.key, reported_column.name), 0) as key_place,
        reported_column.is_nullable,
        reported_column.is_generated,
        reported_column.default_value,
        reported_column.charset,
        reported_column.labels,
        reported_column.comment
    from ended
        lateral view explode(structure.columns) as reported_column
),

newest_structures as (
    select
        *,
        coalesce(
            map(
                'text',
                'text',
                'varchar',
                'text',
                'char',
                'text',
                'citext',
                'text',
                'name',
                'text',
                'uuid',
                'text',
                'xml',
                'text',
                'json',
                'text',
                'jsonb',
                'text',
                'enum',
                'text',
                'ltree',
                'text',
                'inet',
                'text',
                'cidr',
                'text',
                'macaddr',
                'text',
                'macaddr8',
                'text',
                'tsvector',
                'text',
                'hstore',
                'text',
                'int4range',
                'text',
                'int8range',
                'text',
                'numrange',
                'text',
                'tsrange',
                'text',
                'tstzrange',
                'text',
                'daterange',
                'text',
                'bool',
                'boolean',
                'int2',
                'smallint',
                'smallserial',
                'smallint',
                'serial2',
                'smallint',
                'integer',
                'int',
                'int4',
                'int',
                'serial',
                'int',
                'serial4',
                'int',
                'int8',
                'bigint',
                'bigserial',
                'bigint',
                'serial8',
                'bigint',
                'float4',
                'real',
                'float8',
                'double',
                'double precision',
                'double',
                'decimal',
                'numeric',
                'dec',
                'numeric',
                'character varying',
                'text',
                'char varying',
                'text',
                'national character varying',
                'text',
                'national char varying',
                'text',
                'nchar varying',
                'text',
                'character',
                'text',
                'bpchar',
                'text',
                'national character',
                'text',
                'national char',
                'text',
                'nchar',
                'text',
                'bit varying',
                'varbit'
            )[regexp_replace(type, '[(][^)]*[)]', '')],
            regexp_replace(type, '[(][^)]*[)]', '')
        ) as type_name,
        replace(regexp_extract(type, '[(]([^)]*)[)]', 1), ' ', '') as reported_arguments
    from structures
    where is_current
),

reported_types as (
    select
        *,
        coalesce(
            nullif(reported_arguments, ''),
            map('bit', '1', 'time', '6', 'timestamp', '6', 'float', '53')[regexp_replace(type_name, ' unsigned$', '')],
            ''
        ) as type_arguments
    from newest_structures
),

unbroken as (
    -- consecutive versions that define the column in the same way
    select
        table_in_source,
        column_name,
        type,
        version,
        position,
        changed_at,
        version - row_number() over (partition by table_in_source, column_name, type order by version) as run
    from structures
),

since_when as (
    -- the first version of the run that reaches the newest
    select
        table_in_source,
        column_name,
        type,
        max_by(since_position, run) as since_position,
        max_by(since, run) as since,
        max_by(since_version, run) as since_version
    from (
        select
            table_in_source,
            column_name,
            type,
            run,
            min_by(position, version) as since_position,
            min_by(changed_at, version) as since,
            min(version) as since_version
        from unbroken
        group by table_in_source, column_name, type, run
    ) as runs
    group by table_in_source, column_name, type
),

last_seen as (
    select
        table_name,
        column_name,
        max_by(end_position, version) as end_position,
        max_by(ended_at, version) as ended_at
    from structures
    where table_name is not null
    group by table_name, column_name
),

gone_tables as (
    select
        table_name,
        max_by(table_in_source, struct(end_position, version)) as table_in_source,
        max_by(end_position, struct(end_position, version)) as end_position,
        max_by(ended_at, struct(end_position, version)) as ended_at
    from structures
    where table_name is not null
    group by table_name
    having not bool_or(is_current)
),

given_names as (
    select
        former_table,
        max_by(
            table_in_source, struct(concat(epoch, coalesce(position, '')), landed_at, partition, offset, change_number)
        ) as table_in_source
    from afterimage.stg_shop__orders
    where change = 'rename' and not is_repeat
    group by former_table
),

newest_keys as (
    -- a contract may cover several tables
    select
        table_name,
        table_in_source,
        max(position) as position,
        max(changed_at) as changed_at,
        concat_ws(
            ', ',
            transform(
                array_sort(collect_list(if(is_key, struct(key_place, column_name), null))), each -> each.column_name
            )
        ) as reported_key
    from reported_types
    where table_name is not null
    group by table_name, table_in_source
),

newest_of_table as (
    select
        table_name,
        max(position) as position,
        max(changed_at) as changed_at
    from newest_keys
    group by table_name
),

drift_of_structures as (
    select
        reported_types.table_name,
        'not declared' as drift,
        reported_types.column_name,
        'schema changes' as reported_by,
        reported_types.type as reported,
        cast(null as string) as declared,
        since_when.since_position,
        since_when.since,
        cast(null as bigint) as records,
        concat(
            'columns: {',
            if(
                reported_types.column_name rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$'
                and not reported_types.column_name rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                reported_types.column_name,
                concat('"', replace(replace(reported_types.column_name, '\\', '\\\\'), '"', '\\"'), '"')
            ),
            ': ',
            if(
                reported_types.type rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$'
                and not reported_types.type rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                reported_types.type,
                concat('"', replace(replace(reported_types.type, '\\', '\\\\'), '"', '\\"'), '"')
            ),
            '}'
        ) as contract_change
    from reported_types
    inner join since_when
        on
            reported_types.table_in_source = since_when.table_in_source
            and reported_types.column_name = since_when.column_name
            and reported_types.type = since_when.type
    left anti join declared
        on reported_types.table_name = declared.table_name and reported_types.column_name = declared.column_name
    where reported_types.table_name is not null
    union all
    select
        declared.table_name,
        'gone',
        declared.column_name,
        'schema changes',
        null,
        declared.declared_type,
        coalesce(last_seen.end_position, newest_of_table.position),
        coalesce(last_seen.ended_at, newest_of_table.changed_at),
        null,
        null
    from declared
    inner join newest_of_table on declared.table_name = newest_of_table.table_name
    left join last_seen on declared.table_name = last_seen.table_name and declared.column_name = last_seen.column_name
    left anti join reported_types
        on declared.table_name = reported_types.table_name and declared.column_name = reported_types.column_name
    union all
    select
        declared.table_name,
        'type differs',
        declared.column_name,
        'schema changes',
        reported_types.type,
        declared.declared_type,
        since_when.since_position,
        since_when.since,
        null,
        concat(
            'columns: {',
            if(
                declared.column_name rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$'
                and not declared.column_name rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                declared.column_name,
                concat('"', replace(replace(declared.column_name, '\\', '\\\\'), '"', '\\"'), '"')
            ),
            ': ',
            if(
                reported_types.type rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$'
                and not reported_types.type rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                reported_types.type,
                concat('"', replace(replace(reported_types.type, '\\', '\\\\'), '"', '\\"'), '"')
            ),
            '}',
            if(
                reported_types.type_name in ('text', 'binary', 'varbinary', 'blob', 'raw')
                or since_when.since_version = 1,
                '',
                concat(
                    '\nformer_types: {',
                    if(
                        declared.column_name rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$'
                        and not declared.column_name rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                        declared.column_name,
                        concat('"', replace(replace(declared.column_name, '\\', '\\\\'), '"', '\\"'), '"')
                    ),
                    ': {"',
                    since_when.since_position,
                    '": ',
                    if(
                        declared.declared_type rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$'
                        and not declared.declared_type rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                        declared.declared_type,
                        concat('"', replace(replace(declared.declared_type, '\\', '\\\\'), '"', '\\"'), '"')
                    ),
                    '}}'
                )
            )
        )
    from declared
    inner join reported_types
        on declared.table_name = reported_types.table_name and declared.column_name = reported_types.column_name
    inner join since_when
        on
            reported_types.table_in_source = since_when.table_in_source
            and reported_types.column_name = since_when.column_name
            and reported_types.type = since_when.type
    where
        declared.type_name <> reported_types.type_name
        or (
            declared.type_arguments <> ''
            and reported_types.type_arguments <> ''
            and declared.type_arguments <> reported_types.type_arguments
        )
    union all
    select
        tables.table_name,
        'key differs',
        null,
        'schema changes',
        newest_keys.reported_key,
        tables.declared_key,
        newest_keys.position,
        newest_keys.changed_at,
        null,
        concat('key: [', newest_keys.reported_key, ']')
    from tables
    inner join newest_keys on tables.table_name = newest_keys.table_name
    -- a contract may declare another key than the primary key; a table without one has nothing to compare
    where newest_keys.reported_key <> '' and newest_keys.reported_key <> tables.declared_key
    union all
    select
        gone_tables.table_name,
        'table gone',
        null,
        'schema changes',
        given_names.table_in_source,
        null,
        gone_tables.end_position,
        gone_tables.ended_at,
        null,
        if(
            given_names.table_in_source is null,
            '# dropped: an operator event closes its rows (dbt_packages/afterimage/docs/concepts/operator-events.md)',
            concat('topic: [', tables.declared_topics, ', ', 'pg1.', given_names.table_in_source, ']')
        )
    from gone_tables
    inner join tables on gone_tables.table_name = tables.table_name
    left join given_names on gone_tables.table_in_source = given_names.former_table
    union all
    select distinct
        reported_types.table_in_source,
        'table not declared',
        cast(null as string),
        'schema changes',
        cast(null as string),
        cast(null as string),
        first_value(reported_types.position) over (
            partition by reported_types.table_in_source order by reported_types.place
        ),
        first_value(reported_types.changed_at) over (
            partition by reported_types.table_in_source order by reported_types.place
        ),
        cast(null as bigint),
        concat('afterimage scaffold --topic ', 'pg1.', reported_types.table_in_source, ' --landing landing.shop_events')
    from reported_types
    where reported_types.table_name is null
        and not (
            substring_index(
                reported_types.table_in_source, '.', -1
            ) rlike '^(?:LOG_MINING_FLUSH|log_mining_flush)(?:_.*)?$|^_.+_(?:gho|ghc|del|new|old)$|^(?:.+_CT|IBMSNAP_.+)$'
        )
),

fields_beyond as (
    -- fields that records have and contracts do not
    select
        'carts' as table_name,
        extra.key as column_name,
        max_by(
            regexp_extract(schema_of_variant(extra.value), '^[A-Z]+', 0),
            struct(_cdc_position, _cdc_landed_ts, _cdc_offset)
        ) as json_kind,
        false as is_of_document,
        min(_cdc_position) as since_position,
        min(_cdc_source_ts) as since,
        count(*) as records,
        max_by(
            struct(
                _cdc_topic as topic, _cdc_partition as partition, _cdc_offset as offset, _cdc_landed_ts as timestamp
            ),
            struct(_cdc_position, _cdc_landed_ts, _cdc_offset)
        ) as newest
    from afterimage.stg_shop__carts
        lateral view explode(from_json(_cdc_extra, 'map<string, variant>')) extra as key, value
    where _cdc_extra is not null
    group by extra.key
),

in_schema_blocks as (
    -- the newest record that has the field may come with a schema
    select /*+ broadcast(fields_beyond) */
        fields_beyond.table_name,
        fields_beyond.column_name,
        max(coalesce(field.name, field.parameters['__debezium.source.column.type'], field.type)) as reported
    from fields_beyond
    inner join (
        select
            topic,
            partition,
            offset,
            timestamp,
            cast(value as string) as record_value
        from landing.shop_events
        where topic = 'pg1.shop.carts'
    ) as landed
        on
            fields_beyond.newest.topic = landed.topic
            and fields_beyond.newest.partition = landed.partition
            and fields_beyond.newest.offset = landed.offset
            and fields_beyond.newest.timestamp <=> landed.timestamp
        lateral view explode(
            concat(
                coalesce(
                    flatten(
                        from_json(
                            get_json_object(record_value, '$.schema.fields'),
                            'array<struct<fields: array<struct<field: string, type: string, name: string, parameters: map<string, string>>>>>'
                        ).fields
                    ),
                    array()
                ),
                coalesce(
                    from_json(
                        get_json_object(record_value, '$.schema.fields'),
                        'array<struct<field: string, type: string, name: string, parameters: map<string, string>>>'
                    ),
                    array()
                )
            )
        ) as field
    where field.field = fields_beyond.column_name
    group by fields_beyond.table_name, fields_beyond.column_name
),

in_registry as (
    select cast(null as string) as table_name, cast(null as string) as column_name, cast(null as string) as reported
    where false
),

columns_seen as (
    -- the last row that has a column
    select
        'carts' as table_name,
        reported_column.column_name,
        reported_column.own_name,
        coalesce(reported_column.last_there, '') as last_there
    from (
        select
            array(
                struct(
                    'id' as column_name,
                    'id' as own_name,
                    max(
                        if(
                            coalesce(contains(_cdc_absent, '["id"') or contains(_cdc_absent, ',"id"'), false),
                            null,
                            newest_position
                        )
                    ) as last_there
                ),
                struct(
                    'owner' as column_name,
                    'owner' as own_name,
                    max(
                        if(
                            coalesce(contains(_cdc_absent, '["owner"') or contains(_cdc_absent, ',"owner"'), false),
                            null,
                            newest_position
                        )
                    ) as last_there
                ),
                struct(
                    'items' as column_name,
                    'items' as own_name,
                    max(
                        if(
                            coalesce(contains(_cdc_absent, '["items"') or contains(_cdc_absent, ',"items"'), false),
                            null,
                            newest_position
                        )
                    ) as last_there
                )
            ) as reported_columns
        from (
            -- most records lack the same columns
            select
                _cdc_absent,
                max(_cdc_position) as newest_position
            from afterimage.stg_shop__carts
            where _cdc_op in ('c', 'r', 'u', 'x')
            group by _cdc_absent
        ) as lacking
    ) as seen
        lateral view explode(reported_columns) as reported_column
),

columns_left_out as (
    select
        columns_seen.table_name,
        columns_seen.column_name,
        min(left_out.position) as since_position,
        min(left_out.moment) as since,
        count(*) as records
    from (
        select
            _cdc_position as position,
            _cdc_source_ts as moment,
            own_name
        from afterimage.stg_shop__carts
            lateral view explode(from_json(_cdc_absent, 'array<string>')) as own_name
        where _cdc_absent is not null
    ) as left_out
    inner join columns_seen
        on left_out.own_name = columns_seen.own_name and left_out.position > columns_seen.last_there
    where columns_seen.table_name = 'carts'
    group by columns_seen.table_name, columns_seen.column_name
),

declared_keys as (
    -- a key may name a column by a former name
    select
        *,
        array_append(flatten(names_of_columns), '__dbz__physicalTableIdentifier') as known
    from values
        ('carts', 'pg1.shop.carts', array(array('id')), null, true)
            as key_of_table (table_name, topic, names_of_columns, in_registry, sends_row_before)
),

keys_of_records as (
    -- the key columns in the newest record of each topic
    select
        topic,
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
                k -> if(
                    k rlike '\\AStruct\\{[^,={}]+=[^,={}]*(?:,[^,={}]+=[^,={}]*)*\\}\\z',
                    regexp_extract_all(k, '[{,]([^,={}]+)=', 1),
                    json_object_keys(k)
                )
            ),
            0
        ) as key_columns
    from (
        select topic, max_by(cast(key as string), struct(timestamp, offset)) as record_key
        from (
            select topic, key, timestamp, offset
            from landing.shop_events
            where key is not null and topic = 'pg1.shop.carts'
        ) as landed
        group by topic
    ) as newest
),

wider_keys as (
    select distinct
        table_name,
        'key differs' as drift,
        cast(null as string) as column_name,
        reported_by,
        array_join(key_columns, ', ') as reported,
        array_join(transform(names_of_columns, names -> names[0]), ', ') as declared,
        cast(null as string) as since_position,
        cast(null as timestamp) as since,
        cast(null as bigint) as records,
        concat('key: [', array_join(transform(
            transform(
                key_columns,
                name -> coalesce(get(filter(names_of_columns, names -> array_contains(names, name)), 0)[0], name)
            ),
            name -> if(
                name rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$' and not name rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                name,
                concat('"', replace(replace(name, '\\', '\\\\'), '"', '\\"'), '"')
            )
        ), ', '), ']') as contract_change
    from (
        select
            declared_keys.table_name,
            declared_keys.names_of_columns,
            declared_keys.known,
            declared_keys.sends_row_before,
            if(declared_keys.in_registry is null, 'observed', 'registry') as reported_by,
            coalesce(declared_keys.in_registry, keys_of_records.key_columns) as key_columns
        from declared_keys
        left join keys_of_records on declared_keys.topic = keys_of_records.topic
    ) as known_keys
    where
        size(array_except(key_columns, known)) > 0
        and (not sends_row_before or forall(names_of_columns, names -> arrays_overlap(names, key_columns)))
),

all_drift as (
    select * from drift_of_structures
    union all
    select * from wider_keys
    union all
    select
        fields_beyond.table_name,
        if(declared.column_name is null, 'not declared', 'kept in _cdc_extra') as drift,
        fields_beyond.column_name,
        case
            when in_registry.reported is not null then 'registry'
            when in_schema_blocks.reported is not null then 'schema block'
            else 'observed'
        end as reported_by,
        coalesce(in_registry.reported, in_schema_blocks.reported, fields_beyond.json_kind) as reported,
        declared.declared_type as declared,
        fields_beyond.since_position,
        fields_beyond.since,
        fields_beyond.records,
        if(
            fields_beyond.is_of_document and declared.column_name is null,
            concat(
                'columns: {',
                if(
                    fields_beyond.column_name rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$'
                    and not fields_beyond.column_name rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                    fields_beyond.column_name,
                    concat('"', replace(replace(fields_beyond.column_name, '\\', '\\\\'), '"', '\\"'), '"')
                ),
                ': ',
                fields_beyond.json_kind,
                '}'
            ),
            null
        ) as contract_change
    from fields_beyond
    left join in_schema_blocks
        on fields_beyond.table_name = in_schema_blocks.table_name
            and fields_beyond.column_name = in_schema_blocks.column_name
    left join in_registry
        on fields_beyond.table_name = in_registry.table_name and fields_beyond.column_name = in_registry.column_name
    left join declared
        on fields_beyond.table_name = declared.table_name and fields_beyond.column_name = declared.column_name
    union all
    select
        in_registry.table_name,
        'not declared',
        in_registry.column_name,
        'registry',
        in_registry.reported,
        null,
        null,
        null,
        0,
        null
    from in_registry
    left anti join declared
        on in_registry.table_name = declared.table_name and in_registry.column_name = declared.column_name
    left anti join fields_beyond
        on in_registry.table_name = fields_beyond.table_name and in_registry.column_name = fields_beyond.column_name
    union all
    select
        columns_left_out.table_name,
        'gone',
        columns_left_out.column_name,
        'observed',
        null,
        declared.declared_type,
        columns_left_out.since_position,
        columns_left_out.since,
        columns_left_out.records,
        null
    from columns_left_out
    inner join declared
        on columns_left_out.table_name = declared.table_name and columns_left_out.column_name = declared.column_name
),

best_reported as (
    select
        *,
        max(records) over (partition by table_name, drift, column_name) as seen_in,
        row_number() over (
            partition by table_name, drift, column_name
            order by
                case reported_by
                    when 'schema changes' then 1 when 'registry' then 2 when 'schema block' then 3 else 4
                end,
                since_position nulls last
        ) as recency
    from all_drift
)

select
    'shop' as source_name,
    best_reported.table_name,
    tables.topic,
    best_reported.drift,
    best_reported.column_name,
    best_reported.reported_by,
    best_reported.reported,
    best_reported.declared,
    best_reported.since_position,
    best_reported.since,
    best_reported.seen_in as records,
    case
        when best_reported.contract_change is not null then best_reported.contract_change
        when best_reported.drift = 'not declared'
            then concat('afterimage drift --table ', 'shop.', best_reported.table_name)
        when best_reported.drift = 'kept in _cdc_extra'
            then
                concat(
                    '# ',
                    if(
                        best_reported.column_name rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$'
                        and not best_reported.column_name rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                        best_reported.column_name,
                        concat('"', replace(replace(best_reported.column_name, '\\', '\\\\'), '"', '\\"'), '"')
                    ),
                    ' is declared; earlier changes keep it in _cdc_extra until a full refresh'
                )
        when best_reported.drift = 'gone'
            then
                concat(
                    '# ',
                    if(
                        best_reported.column_name rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$'
                        and not best_reported.column_name rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$',
                        best_reported.column_name,
                        concat('"', replace(replace(best_reported.column_name, '\\', '\\\\'), '"', '\\"'), '"')
                    ),
                    ' stays in columns while history is to show it; a full refresh without it forgets it'
                )
    end as contract_change
from best_reported
left join tables
    on best_reported.table_name = tables.table_name
where best_reported.recency = 1
