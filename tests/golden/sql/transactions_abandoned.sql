-- transactions of shop, made by afterimage.transactions
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
    where topic = 'pg1.transaction'
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

in_lives as (
    -- in a re-created topic offsets repeat: a record at the same coordinates, but later, and all that came since
    select
        partition,
        offset,
        timestamp,
        record_value,
        offset + 1000000000000000 * (max(life) over (partition by partition order by timestamp) - 1) as landed_order
    from (
        select
            *,
            dense_rank() over (partition by partition, offset order by timestamp) as life
        from control_records
    ) as lives
),

reported_records as (
    select
        *,
        case
            when record_value is null then 'no value'
            when json_object_keys(record_value) is null then 'broken JSON'
            when coalesce(boundary.id, '') = '' or not coalesce(boundary.status in ('BEGIN', 'END'), false)
                then 'no boundary'
        end as fault
    from (
        select
            *,
            from_json(
                record_value,
                'status string, id string, ts_ms bigint, data_collections array<struct<data_collection: string, event_count: bigint>>'
            ) as boundary
        from in_lives
    ) as parsed
),

boundaries as (
    select
        partition,
        landed_order,
        lpad(landed_order, 20, '0') as place_by_offset,
        coalesce(
            lpad(substring_index(boundary.id, ':', -1), 20, '0'),
            lpad(coalesce(nullif(boundary.ts_ms, 0), unix_millis(timestamp)), 20, '0')
        ) as place_in_log,
        if(fault is null, substring_index(boundary.id, ':', 1), null) as transaction_id,
        if(fault is null, boundary.status, null) as status,
        boundary.data_collections,
        if(
            fault is null,
            coalesce(
                timestamp_millis(
                    if(
                        nullif(boundary.ts_ms, 0) between -62135596800000 and 253402300799999,
                        nullif(boundary.ts_ms, 0),
                        null
                    )
                ),
                timestamp
            ),
            null
        ) as reported_at,
        concat(fault, ', partition ', partition, ', offset ', offset) as fault,
        -- one may be repeated after a restart
        row_number() over (
            partition by boundary.status, substring_index(boundary.id, ':', 1) order by landed_order
        ) = 1 as is_first
    from reported_records
),

topic_read as (
    -- partitions are in order: none is outstanding up to the least of their newest ENDs; one without an END holds all
    select
        count(*) = 1 as is_one_partition,
        if(count(*) = 1, min(newest_by_offset), min(newest_in_log)) as read_by_all,
        min(first_at) as first_at
    from (
        select
            partition,
            coalesce(max(place_by_offset) filter (where status = 'END'), '') as newest_by_offset,
            coalesce(max(place_in_log) filter (where status = 'END'), '') as newest_in_log,
            min(reported_at) as first_at
        from boundaries
        group by partition
    ) as partitions
),

passed as (
    -- the last END of each partition that all have reached; a repeated END proves nothing about interrupted ones
    select
        any_value(is_one_partition) as is_one_partition,
        any_value(read_by_all) as read_by_all,
        map_from_entries(collect_list(struct(partition, newest_end))) as newest_ends
    from (
        select
            boundaries.partition,
            any_value(topic_read.is_one_partition) as is_one_partition,
            any_value(topic_read.read_by_all) as read_by_all,
            max(boundaries.landed_order) as newest_end
        from boundaries
        cross join topic_read
        where
            boundaries.status = 'END'
            and boundaries.is_first
            and if(
                topic_read.is_one_partition, boundaries.place_by_offset, boundaries.place_in_log
            ) <= topic_read.read_by_all
        group by boundaries.partition
    ) as partitions
),

spans as (
    select
        transaction_id,
        fault,
        min(reported_at) filter (where status = 'BEGIN') as began_at,
        min(reported_at) filter (where status = 'END') as ended_at,
        coalesce(bool_or(status = 'END'), false) as has_ended,
        max_by(
            struct(partition, landed_order, place_by_offset, place_in_log), landed_order
        ) filter (where status = 'BEGIN') as began,
        min_by(struct(place_by_offset, place_in_log), landed_order) filter (where status = 'END') as ended,
        min_by(data_collections, landed_order) filter (where status = 'END') as data_collections
    from boundaries
    group by transaction_id, fault
),

ordered as (
    select
        *,
        -- the connector completes one transaction before the next: one that began before another's END will have no END
        if(
            has_ended or began.landed_order < try_element_at(newest_ends, began.partition),
            coalesce(ended_order, began_order),
            null
        ) as committed_order
    from (
        select
            spans.*,
            passed.read_by_all,
            passed.newest_ends,
            if(passed.is_one_partition, spans.began.place_by_offset, spans.began.place_in_log) as began_order,
            if(passed.is_one_partition, spans.ended.place_by_offset, spans.ended.place_in_log) as ended_order
        from spans
        cross join passed
    ) as in_place
),

changes as (
    select
        'carts' as table_name,
        array(
            regexp_replace(
                _cdc_source_table, if(_cdc_source_table rlike '^\\Qpg1\\E[.]', '^\\Qpg1\\E[.]', '^[^.]+[.]'), ''
            ),
            _cdc_source_table,
            regexp_replace(max(_cdc_topic), '^\\Qpg1\\E[.]', '')
        ) as names,
        _cdc_source_table as source_table,
        substring_index(_cdc_tx_id, ':', 1) as transaction_id,
        count(distinct _cdc_tx_order) as staged,
        max(_cdc_source_ts) as changed_at
    from afterimage.stg_shop__carts
    where _cdc_tx_order is not null
    group by _cdc_source_table, substring_index(_cdc_tx_id, ':', 1)
),

declared as (
    select
        'carts' as table_name,
        '.shop.carts' as suffix
),

names as (
    -- the name of a table: from its changes, or from its contract while there are none
    select
        name,
        min_by(struct(table_name, source_table), preference) as of_table
    from (
        select distinct
            table_name,
            source_table,
            preference,
            name
        from changes
            lateral view posexplode(names) as preference, name
        union all
        select
            table_name,
            null,
            9,
            substr(suffix, 2)
        from declared
    ) as called
    group by name
),

known as (
    select map_from_entries(collect_list(struct(name, of_table))) as tables
    from names
),

reported_counts as (
    select
        *,
        -- a full name, or else the one table of which either name ends with the other; one part alone is too ambiguous
        coalesce(
            try_element_at(tables, get(names, 0)),
            try_element_at(tables, get(names, 1)),
            if(
                size(names) = 0,
                null,
                get(filter(
                    array(array_distinct(transform(
                        filter(
                            map_entries(tables),
                            entry -> locate('.', entry.key) > 0 and exists(
                                names,
                                each -> endswith(concat('.', each), concat('.', entry.key))
                                or endswith(concat('.', entry.key), concat('.', each))
                            )
                        ),
                        entry -> entry.value
                    ))),
                    found -> size(found) = 1
                ), 0)[0]
            )
        ) as of_table
    from (
        select
            ordered.*,
            known.tables,
            collection.data_collection,
            collection.event_count,
            if(collection.data_collection is null, array(), array(collection.data_collection)) as names
        from ordered
        cross join known
            lateral view outer explode(ordered.data_collections) as collection
    ) as in_collections
),

counted as (
    select
        transaction_id,
        fault,
        counted_in,
        min(data_collection) as data_collection,
        min(table_name) as table_name,
        sum(reported) as reported,
        coalesce(sum(staged), 0) as staged,
        max(changed_at) as changed_at,
        max(began_at) as began_at,
        max(ended_at) as ended_at,
        max(committed_order) as committed_order,
        max(read_by_all) as read_by_all,
        max(has_ended) as has_ended
    from (
        select
            transaction_id,
            fault,
            coalesce(concat(of_table.table_name, ' ', of_table.source_table), data_collection) as counted_in,
            data_collection,
            of_table.table_name as table_name,
            event_count as reported,
            null as staged,
            null as changed_at,
            began_at,
            ended_at,
            committed_order,
            read_by_all,
            has_ended
        from reported_counts
        union all
        select
            transaction_id,
            null,
            concat(table_name, ' ', source_table),
            null,
            table_name,
            null,
            staged,
            changed_at,
            null,
            null,
            null,
            null,
            null
        from changes
    ) as entries
    group by transaction_id, fault, counted_in
),

of_transactions as (
    select
        transaction_id,
        fault,
        counted_in,
        data_collection,
        table_name,
        reported,
        staged,
        changed_at,
        max(began_at) over of_transaction as began_at,
        max(ended_at) over of_transaction as ended_at,
        max(committed_order) over of_transaction as ended_order,
        max(read_by_all) over of_transaction as read_by_all,
        max(has_ended) over of_transaction as has_ended,
        max(changed_at) over of_transaction as last_changed_at,
        count(counted_in) over of_transaction as tables
    from counted
    window of_transaction as (partition by transaction_id, fault)
),

states as (
    select
        *,
        case
            when fault is not null then 'fault'
            when has_ended is null and last_changed_at < (select topic_read.first_at from topic_read) then 'earlier'
            when has_ended is null then 'unbounded'
            when ended_order is null then 'open'
            when not has_ended then 'ended without END'
            when reported is null and staged > 0 then 'extra'
            when reported is not null and table_name is null then 'not declared'
            when
                staged < reported
                and transaction_id in (
                    select cast(abandoned.transaction_id as string) from afterimage.stg_shop__orders as abandoned
                )
                then 'abandoned'
            when staged < reported then 'missing'
            when staged > reported then 'more'
            else 'complete'
        end as state
    from of_transactions
    where counted_in is not null or tables = 0
),

first_missing as (
    select min(ended_order) as place
    from states
    where state = 'missing'
)

select
    'shop' as source_name,
    'pg1.transaction' as topic,
    states.transaction_id,
    states.data_collection,
    states.table_name,
    states.began_at,
    states.ended_at,
    states.changed_at,
    states.ended_order,
    states.reported,
    states.staged,
    states.state,
    coalesce(
        states.ended_order <= states.read_by_all
        and (first_missing.place is null or states.ended_order < first_missing.place),
        false
    )
    or states.state = 'earlier' as is_settled,
    states.fault
from states
cross join first_missing
