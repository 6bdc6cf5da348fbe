-- accounting of shop, made by afterimage.accounting
with

landed as (
    select
        landing,
        topic,
        count(*) as records,
        count_if(first_landed <> last_landed) as meeting
    from (
        -- one row a place
        select
            'shop.orders' as landing,
            topic,
            min(timestamp) as first_landed,
            max(timestamp) as last_landed
        from shop.orders
        where topic is not null
        group by topic, partition, offset
    ) as places
    group by landing, topic
),

declared as (
    select
        'shop' as source_name,
        'customers' as table_name,
        'landing.shop_events' as landing,
        'pg1.shop.customers' as topic
    union all
    select
        'shop' as source_name,
        'products' as table_name,
        'landing.shop_events' as landing,
        'pg1.shop.products' as topic
    union all
    select
        'shop' as source_name,
        'orders' as table_name,
        'landing.shop_events' as landing,
        'pg1.shop.orders' as topic
    union all
    select
        'shop' as source_name,
        'order_lines' as table_name,
        'landing.shop_events' as landing,
        'pg1.shop.order_lines' as topic
    union all
    select
        'shop' as source_name,
        'stock_slots' as table_name,
        'landing.shop_events' as landing,
        'pg1.shop.stock_slots' as topic
    union all
    select
        'shop' as source_name,
        'carts' as table_name,
        'landing.shop_events' as landing,
        'pg1.shop.carts' as topic
),

changes as (
    select
        'shop' as source_name,
        'customers' as table_name,
        'landing.shop_events' as landing,
        true as has_key,
        true as place_is_of_a_row,
        true as in_write_order,
        true as is_one_table,
        '' as shard,
        '' as epoch,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_event_id, _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table
    from afterimage.stg_shop__customers
    union all
    select
        'shop' as source_name,
        'products' as table_name,
        'landing.shop_events' as landing,
        true as has_key,
        true as place_is_of_a_row,
        true as in_write_order,
        true as is_one_table,
        '' as shard,
        '' as epoch,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_event_id, _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table
    from afterimage.stg_shop__products
    union all
    select
        'shop' as source_name,
        'orders' as table_name,
        'landing.shop_events' as landing,
        true as has_key,
        true as place_is_of_a_row,
        true as in_write_order,
        true as is_one_table,
        '' as shard,
        '' as epoch,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_event_id, _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table
    from afterimage.stg_shop__orders
    union all
    select
        'shop' as source_name,
        'order_lines' as table_name,
        'landing.shop_events' as landing,
        true as has_key,
        true as place_is_of_a_row,
        true as in_write_order,
        true as is_one_table,
        '' as shard,
        '' as epoch,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_event_id, _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table
    from afterimage.stg_shop__order_lines
    union all
    select
        'shop' as source_name,
        'stock_slots' as table_name,
        'landing.shop_events' as landing,
        true as has_key,
        true as place_is_of_a_row,
        true as in_write_order,
        true as is_one_table,
        '' as shard,
        '' as epoch,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_event_id, _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table
    from afterimage.stg_shop__stock_slots
    union all
    select
        'shop' as source_name,
        'carts' as table_name,
        'landing.shop_events' as landing,
        true as has_key,
        true as place_is_of_a_row,
        true as in_write_order,
        true as is_one_table,
        '' as shard,
        '' as epoch,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_event_id, _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table
    from afterimage.stg_shop__carts
),

decisions as (
    select
        'shop' as source_name,
        'customers' as table_name,
        'landing.shop_events' as landing,
        '' as epoch,
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__customers__ledger
    union all
    select
        'shop' as source_name,
        'products' as table_name,
        'landing.shop_events' as landing,
        '' as epoch,
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__products__ledger
    union all
    select
        'shop' as source_name,
        'orders' as table_name,
        'landing.shop_events' as landing,
        '' as epoch,
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__orders__ledger
    union all
    select
        'shop' as source_name,
        'order_lines' as table_name,
        'landing.shop_events' as landing,
        '' as epoch,
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__order_lines__ledger
    union all
    select
        'shop' as source_name,
        'stock_slots' as table_name,
        'landing.shop_events' as landing,
        '' as epoch,
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__stock_slots__ledger
    union all
    select
        'shop' as source_name,
        'carts' as table_name,
        'landing.shop_events' as landing,
        '' as epoch,
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__carts__ledger
),

verdicts as (
    select source_name, table_name, landing, _cdc_topic as topic, 'staged' as outcome, cast(null as string) as kind, count(*) as records
    from changes
    where _cdc_topic is not null
    group by source_name, table_name, landing, _cdc_topic
    union all
    select source_name, table_name, landing, topic, outcome, kind, count(*)
    from (
        select
            *,
            row_number() over (partition by source_name, table_name, topic, partition, offset, epoch order by batch desc) as recency
        from decisions
    ) as ledger
    where recency = 1 and outcome <> 'resolved'
    group by source_name, table_name, landing, topic, outcome, kind
),

went_back as (
    select source_name, table_name, _cdc_topic as topic, count(*) as records
    from (
        select source_name, table_name, _cdc_topic
        from (
            select
                source_name,
                table_name,
                _cdc_topic,
                read_behind,
                max(reached) over (
                    partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, shard
                    order by first_offset range between unbounded preceding and 1 preceding
                ) as reached_before
            from (
                select
                    source_name,
                    table_name,
                    _cdc_topic,
                    _cdc_partition,
                    epoch,
                    shard,
                    if(_cdc_op = 'r' or not in_write_order, _cdc_position, _cdc_committed_after) as read_behind,
                    greatest(_cdc_position, if(_cdc_op = 'r' or not in_write_order, null, _cdc_committed_after)) as reached,
                    if(
                        _cdc_op = 'r' or not in_write_order,
                        first_delivered,
                        min(first_delivered) over (
                            partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, _cdc_op = 'r', _cdc_tx_id
                        )
                    ) as first_offset
                from (
                    -- which delivery of a change was staged is chance: the first one tells when it was read
                    select staged.*, least(staged._cdc_offset, coalesce(again.offset, staged._cdc_offset)) as first_delivered
                    from changes as staged
                    left join (
                        select source_name, table_name, event_id, topic, partition, min(offset) as offset
                        from decisions
                        where outcome = 'duplicate'
                        group by source_name, table_name, event_id, topic, partition
                    ) as again
                        on
                            staged.source_name = again.source_name
                            and staged.table_name = again.table_name
                            and substring_index(staged._cdc_event_id, ':', 4) = again.event_id
                            and staged._cdc_topic = again.topic
                            and staged._cdc_partition = again.partition
                ) as delivered
                where _cdc_snapshot in ('none', 'initial') and _cdc_op <> 'o'
            ) as streamed
        ) as compared
        where read_behind < reached_before
    ) as found
    group by source_name, table_name, _cdc_topic
),

several_tables as (
    -- those of all tables but the one with most
    select source_name, table_name, topic, sum(records) - max(records) as records
    from (
        select source_name, table_name, _cdc_topic as topic, _cdc_source_table, count(*) as records
        from changes
        where is_one_table and _cdc_op <> 'o'
        group by source_name, table_name, _cdc_topic, _cdc_source_table
    ) as by_table
    group by source_name, table_name, topic
    having count(*) > 1
),

ambiguous as (
    select source_name, table_name, _cdc_topic as topic, kind, sum(records) as records
    from (
        select source_name, table_name, min(_cdc_topic) as _cdc_topic, 'order_by_landing' as kind, count(*) as records
        from changes
        where has_key and _cdc_tx_order is null and _cdc_op not in ('t', 'o')
        group by
            source_name, table_name, _cdc_key, concat(epoch, _cdc_position), _cdc_snapshot = 'none', place_is_of_a_row and _cdc_op = 'd'
        having count(*) > 1
        union all
        select source_name, table_name, min(_cdc_topic) as _cdc_topic, 'equal_changes' as kind, count(*) as records
        from changes
        where _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
        group by source_name, table_name, concat(epoch, _cdc_position), substring_index(_cdc_event_id, ':', 4)
        having count(*) > 1
    ) as found
    group by source_name, table_name, _cdc_topic, kind
),

read_nowhere as (
    -- complete snapshots declared at a place where no snapshot read a row of any table of the source
    select complete.source_name, complete.table_name, count(*) as records
    from (
        select source_name, table_name, _cdc_position
        from changes
        where (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%'))
    ) as complete
    left anti join (
        select concat(epoch, _cdc_position) as read_at
        from changes
        where _cdc_op = 'r' and _cdc_snapshot <> 'incremental'
    ) as reads on complete._cdc_position = reads.read_at
    group by complete.source_name, complete.table_name
),

operator_events as (
    select source_name, table_name, split_part(_cdc_event_id, ':', 2) as kind, count(*) as records
    from changes
    where _cdc_op = 'o'
    group by source_name, table_name, split_part(_cdc_event_id, ':', 2)
),

pending as (
    select declared.source_name, declared.table_name, landed.topic, landed.records - coalesce(sum(verdicts.records), 0) as records
    from landed
    inner join declared on landed.landing = declared.landing and landed.topic = declared.topic
    left join verdicts
        on
            declared.source_name = verdicts.source_name
            and declared.table_name = verdicts.table_name
            and landed.landing = verdicts.landing
            and landed.topic = verdicts.topic
    group by declared.source_name, declared.table_name, landed.landing, landed.topic, landed.records
)

select declared.source_name, declared.table_name, landed.topic, 'landed' as outcome, cast(null as string) as kind, landed.records
from landed
inner join declared on landed.landing = declared.landing and landed.topic = declared.topic
union all
select verdicts.source_name, verdicts.table_name, verdicts.topic, verdicts.outcome, verdicts.kind, verdicts.records
from verdicts
inner join declared
    on
        verdicts.source_name = declared.source_name
        and verdicts.table_name = declared.table_name
        and verdicts.landing = declared.landing
        and verdicts.topic = declared.topic
union all
select source_name, table_name, topic, 'pending', null, records
from pending
where records <> 0
union all
select declared.source_name, declared.table_name, landed.topic, 'alarm', 'two_records_at_one_place', landed.meeting
from landed
inner join declared on landed.landing = declared.landing and landed.topic = declared.topic
where landed.meeting > 0
union all
select source_name, table_name, topic, 'alarm', 'position_went_back', records
from went_back
union all
select source_name, table_name, topic, 'alarm', 'several_source_tables', records
from several_tables
union all
select source_name, table_name, topic, 'ambiguous', kind, records
from ambiguous
union all
select source_name, table_name, cast(null as string), 'alarm', 'complete_snapshot_read_nothing', records
from read_nowhere
union all
select source_name, table_name, cast(null as string), 'operator', kind, records
from operator_events
union all
select
    'shop',
    null,
    landed.topic,
    if(landed.topic is null, 'refused', 'unrouted'),
    case when landed.topic is null then 'unreadable_line' when landed.topic = 'pg1.transaction' then 'transaction' when landed.topic = 'pg1.message' then 'message' when landed.topic = 'pg1-signal' then 'signal' when landed.topic = '__debezium-heartbeat.pg1' then 'heartbeat' when landed.topic = 'pg1' then 'schema change' when landed.topic = 'pg1.shop.mark' then 'marks of the capture rig' else 'unknown_topic' end,
    landed.records
from landed
where
    landed.topic is null
    or (landed.landing, landed.topic) not in (('landing.shop_events', 'pg1.shop.customers'), ('landing.shop_events', 'pg1.shop.products'), ('landing.shop_events', 'pg1.shop.orders'), ('landing.shop_events', 'pg1.shop.order_lines'), ('landing.shop_events', 'pg1.shop.stock_slots'), ('landing.shop_events', 'pg1.shop.carts'))
