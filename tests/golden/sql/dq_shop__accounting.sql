-- accounting of shop, made by afterimage.accounting
with

landed as (
    select
        landing,
        topic,
        count(*) as records,
        sum(if(first_landed = last_landed, copies - 1, 0)) as landed_again,
        count_if(first_landed <> last_landed) as colliding,
        min(if(first_landed <> last_landed, concat_ws(':', partition, offset), null)) as met
    from (
        -- one row per coordinate
        select
            'shop.orders' as landing,
            topic,
            partition,
            offset,
            count(*) as copies,
            min(timestamp) as first_landed,
            max(timestamp) as last_landed
        from shop.orders
        where topic is not null
        group by topic, partition, offset
    ) as places
    group by landing, topic
),

declared as (
    select *
    from values
        ('shop', 'customers', 'landing.shop_events', 'pg1.shop.customers'),
        ('shop', 'products', 'landing.shop_events', 'pg1.shop.products'),
        ('shop', 'orders', 'landing.shop_events', 'pg1.shop.orders'),
        ('shop', 'order_lines', 'landing.shop_events', 'pg1.shop.order_lines'),
        ('shop', 'stock_slots', 'landing.shop_events', 'pg1.shop.stock_slots'),
        ('shop', 'carts', 'landing.shop_events', 'pg1.shop.carts')
            as tables (source_name, table_name, landing, topic)
),

changes_of_logs as (
    select
        'shop' as source_name,
        'customers' as table_name,
        'landing.shop_events' as landing,
        true as has_key,
        true as position_identifies_row,
        false as place_is_offset,
        true as in_write_order,
        true as is_one_table,
        false as names_tables,
        '' as shard,
        'replica_identity' as images_set_by,
        if(_cdc_op = 'u', _cdc_before_hash is null or _cdc_previous_key is not null, null) as images_are_as_declared,
        _cdc_key as shown_key,
        _cdc_previous_key as shown_previous_key,
        '' as epoch,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_order, _cdc_event_id, _cdc_image_hash,
        _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table, _cdc_source_ts, _cdc_batch
    from afterimage.stg_shop__customers
    union all
    select
        'shop',
        'products',
        'landing.shop_events',
        true,
        true,
        false,
        true,
        true,
        false,
        '',
        'replica_identity',
        if(_cdc_op = 'u', _cdc_before_hash is null or _cdc_previous_key is not null, null),
        _cdc_key as shown_key,
        _cdc_previous_key as shown_previous_key,
        '',
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_order, _cdc_event_id, _cdc_image_hash,
        _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table, _cdc_source_ts, _cdc_batch
    from afterimage.stg_shop__products
    union all
    select
        'shop',
        'orders',
        'landing.shop_events',
        true,
        true,
        false,
        true,
        true,
        false,
        '',
        'replica_identity',
        if(_cdc_op = 'u', _cdc_before_hash is null or _cdc_previous_key is not null, null),
        _cdc_key as shown_key,
        _cdc_previous_key as shown_previous_key,
        '',
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_order, _cdc_event_id, _cdc_image_hash,
        _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table, _cdc_source_ts, _cdc_batch
    from afterimage.stg_shop__orders
    union all
    select
        'shop',
        'order_lines',
        'landing.shop_events',
        true,
        true,
        false,
        true,
        true,
        false,
        '',
        'replica_identity',
        if(_cdc_op = 'u', _cdc_before_hash is null or _cdc_previous_key is not null, null),
        _cdc_key as shown_key,
        _cdc_previous_key as shown_previous_key,
        '',
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_order, _cdc_event_id, _cdc_image_hash,
        _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table, _cdc_source_ts, _cdc_batch
    from afterimage.stg_shop__order_lines
    union all
    select
        'shop',
        'stock_slots',
        'landing.shop_events',
        true,
        true,
        false,
        true,
        true,
        false,
        '',
        'replica_identity',
        if(_cdc_op = 'u', _cdc_before_hash is not null, null),
        _cdc_key as shown_key,
        _cdc_previous_key as shown_previous_key,
        '',
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_order, _cdc_event_id, _cdc_image_hash,
        _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table, _cdc_source_ts, _cdc_batch
    from afterimage.stg_shop__stock_slots
    union all
    select
        'shop',
        'carts',
        'landing.shop_events',
        true,
        true,
        false,
        true,
        true,
        false,
        '',
        'replica_identity',
        if(_cdc_op = 'u', _cdc_before_hash is null or _cdc_previous_key is not null, null),
        _cdc_key as shown_key,
        _cdc_previous_key as shown_previous_key,
        '',
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_order, _cdc_event_id, _cdc_image_hash,
        _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table, _cdc_source_ts, _cdc_batch
    from afterimage.stg_shop__carts
),

changes as (
    select *, concat_ws(' ', concat_ws(':', _cdc_partition, _cdc_offset), shown_key) as named from changes_of_logs
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
        'shop',
        'products',
        'landing.shop_events',
        '',
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__products__ledger
    union all
    select
        'shop',
        'orders',
        'landing.shop_events',
        '',
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__orders__ledger
    union all
    select
        'shop',
        'order_lines',
        'landing.shop_events',
        '',
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__order_lines__ledger
    union all
    select
        'shop',
        'stock_slots',
        'landing.shop_events',
        '',
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__stock_slots__ledger
    union all
    select
        'shop',
        'carts',
        'landing.shop_events',
        '',
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

physical_tables as (
    select
        source_name,
        table_name,
        epoch,
        names_tables,
        _cdc_topic as topic,
        _cdc_source_table as named,
        substring_index(_cdc_source_table, '.', 1) as server,
        min(_cdc_position) as first_place,
        max(_cdc_position) as last_place,
        count(*) as records
    from changes
    where is_one_table and _cdc_op <> 'o'
    group by source_name, table_name, epoch, names_tables, _cdc_topic, _cdc_source_table
),

delivered as (
    select
        staged.*,
        least(
            staged._cdc_offset, if(again.earliest.partition = staged._cdc_partition, again.earliest.offset, null)
        ) as first_delivered,
        coalesce(
            staged._cdc_partition <> again.earliest.partition or staged._cdc_partition <> again.last_partition, false
        ) as is_scattered
    from changes as staged
    left join (
        select
            source_name,
            table_name,
            event_id,
            topic,
            min(struct(partition, offset)) as earliest,
            max(partition) as last_partition
        from decisions
        where outcome = 'duplicate'
        group by source_name, table_name, event_id, topic
    ) as again
        on
            staged.source_name = again.source_name
            and staged.table_name = again.table_name
            and substring_index(staged._cdc_event_id, ':', 4) = again.event_id
            and staged._cdc_topic = again.topic
    where staged._cdc_op <> 'o'
),

findings as (
    -- rows that are not outcomes of records: source_name, table_name, topic, outcome, kind, records, and an example
    select
        declared.source_name,
        declared.table_name,
        landed.topic,
        'alarm' as outcome,
        'two_records_at_one_place' as kind,
        landed.colliding as records,
        landed.met as named
    from landed
    inner join declared on landed.landing = declared.landing and landed.topic = declared.topic
    where landed.colliding > 0
    union all
    select source_name, table_name, _cdc_topic, 'alarm', 'made_in_the_future', 1, named
    from changes
    where _cdc_source_ts > current_timestamp() + interval 1 day and _cdc_op <> 'o'
    union all
    -- complete snapshots declared at a position where no snapshot read a row of any table of the source
    select complete.source_name, complete.table_name, cast(null as string), 'alarm', 'complete_snapshot_read_nothing', 1, complete._cdc_position
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
    union all
    select
        source_name,
        table_name,
        _cdc_topic as topic,
        'alarm' as outcome,
        if(read_behind < if(is_first_read, committed_before, reached_before), 'position_went_back', 'clock_went_back') as kind,
        1 as records,
        named
    from (
        select
            *,
            max(committed) over (
                partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, shard
                order by first_offset range between unbounded preceding and 1 preceding
            ) as committed_before,
            max(reached) over (
                partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, shard
                order by first_offset range between unbounded preceding and 1 preceding
            ) as reached_before,
            max(made_at) over (
                partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, shard
                order by first_offset range between unbounded preceding and 1 preceding
            ) as made_before
        from (
            select
                *,
                -- for a row that a snapshot read: when it was read, or when the row was last changed
                if(_cdc_op = 'r', null, _cdc_source_ts) as made_at,
                -- no commit was read before it: the last record of its transaction comes after all that were
                in_write_order and _cdc_op <> 'r' and _cdc_committed_after is null as is_first_read,
                if(in_write_order, _cdc_committed_after, null) as committed,
                if(
                    _cdc_op = 'r' or not in_write_order,
                    _cdc_position,
                    coalesce(
                        _cdc_committed_after,
                        max(_cdc_position) over (
                            partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, _cdc_op = 'r', _cdc_tx_id
                        )
                    )
                ) as read_behind,
                greatest(_cdc_position, if(_cdc_op = 'r' or not in_write_order, null, _cdc_committed_after)) as reached,
                if(
                    _cdc_op = 'r' or not in_write_order,
                    first_delivered,
                    min(first_delivered) over (
                        partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, _cdc_op = 'r', _cdc_tx_id
                    )
                ) as first_offset
            from delivered
            where _cdc_snapshot in ('none', 'initial')
        ) as streamed
    ) as compared
    where not is_scattered and (read_behind < if(is_first_read, committed_before, reached_before) or made_at < made_before - interval 1 day)
    union all
    select
        one.source_name,
        one.table_name,
        one.topic,
        'alarm' as outcome,
        'several_source_tables' as kind,
        one.records,
        one.named
    from physical_tables as one
    left semi join physical_tables as other
        on
            one.source_name = other.source_name
            and one.table_name = other.table_name
            and one.epoch = other.epoch
            and not one.named <=> other.named
            and struct(one.records, one.named) < struct(other.records, other.named)
            and (
                one.server <> other.server
                or not one.names_tables
                and (one.topic = other.topic or (one.first_place <= other.last_place and one.last_place >= other.first_place))
            )
    union all
    select
        source_name,
        table_name,
        min(_cdc_topic) as topic,
        'alarm' as outcome,
        'key_change_unpaired' as kind,
        abs(count_if(is_delete) - count_if(not is_delete)) as records,
        min(both_named) as named
    from (
        select
            *,
            _cdc_op = 'd' as is_delete,
            if(_cdc_op = 'd', array(_cdc_key, _cdc_previous_key), array(_cdc_previous_key, _cdc_key)) as from_and_to,
            concat_ws(' ', concat_ws(':', _cdc_partition, _cdc_offset), if(_cdc_op = 'd', shown_key, shown_previous_key), '->', if(_cdc_op = 'd', shown_previous_key, shown_key)) as both_named
        from changes
        where has_key and _cdc_op in ('c', 'd', 'x') and _cdc_previous_key is not null
    ) as of_key_changes
    group by source_name, table_name, from_and_to, if(place_is_offset, null, concat(epoch, _cdc_position))
    having count_if(is_delete) <> count_if(not is_delete)
    union all
    select found.source_name, found.table_name, found._cdc_topic as topic, 'alarm' as outcome, 'row_created_twice' as kind, 1 as records, found.named
    from (
        select
            *,
            lag(named_struct('op', _cdc_op, 'leaves_row', leaves_row, 'image', _cdc_image_hash, 'place', place, 'position', _cdc_position)) over (
                partition by source_name, table_name, row_key order by place
            ) as before,
            count_if(not leaves_row) over (partition by source_name, table_name, row_key order by place) as ended_before,
            bool_and(leaves_row) over (
                partition by source_name, table_name, row_key, coalesce(_cdc_tx_id, concat(epoch, _cdc_position))
            ) as is_left_here
        from (
            -- an update that changes its row's key leaves no row under the old key
            select *, concat(epoch, _cdc_order) as place, _cdc_op in ('c', 'r', 'u', 'x') and row_key = _cdc_key as leaves_row
            from changes
                lateral view explode(array_distinct(array(_cdc_key, if(_cdc_op = 'u', coalesce(_cdc_previous_key, _cdc_key), _cdc_key)))) as row_key
            where
                has_key
                and not place_is_offset
                and _cdc_key is not null
                and (_cdc_snapshot = 'none' or _cdc_snapshot = 'initial')
        ) as of_key
    ) as found
    left anti join changes as emptied
        on
            found.source_name = emptied.source_name
            and found.table_name = emptied.table_name
            and (emptied._cdc_op = 't' or (emptied._cdc_op = 'o' and (emptied._cdc_event_id like 'operator:snapshot_complete:%')))
            and concat(emptied.epoch, emptied._cdc_order) > found.before.place
            and concat(emptied.epoch, emptied._cdc_order) < found.place
    where
        found._cdc_op = 'c'
        and found.before.leaves_row
        and not (found.before.op = 'r' and found.in_write_order and found.ended_before > 0)
        and found._cdc_position <> found.before.position
        and found._cdc_image_hash <> found.before.image
        and found.is_left_here
    union all
    select
        source_name,
        table_name,
        min(_cdc_topic) as topic,
        'ambiguous' as outcome,
        'order_by_landing' as kind,
        count(*) as records,
        min(named) as named
    from changes
        -- an update that changes its row's key is a change of both keys
        lateral view explode(array_distinct(array(_cdc_key, if(_cdc_op = 'u', coalesce(_cdc_previous_key, _cdc_key), _cdc_key)))) as row_key
    where has_key and _cdc_tx_order is null and _cdc_op not in ('t', 'o')
    group by
        source_name, table_name, row_key, concat(epoch, _cdc_position), _cdc_snapshot = 'none', position_identifies_row and _cdc_op = 'd'
    having count(*) > 1
    union all
    select
        source_name,
        table_name,
        min(_cdc_topic) as topic,
        'ambiguous' as outcome,
        'equal_changes' as kind,
        count(*) as records,
        min(named) as named
    from changes
    where _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
    group by source_name, table_name, concat(epoch, _cdc_position), substring_index(_cdc_event_id, ':', 4)
    having count(*) > 1
    union all
    select
        source_name,
        table_name,
        newest.topic,
        'contradiction' as outcome,
        images_set_by as kind,
        newest.other as records,
        newest.named
    from (
        select source_name, table_name, images_set_by, max_by(struct(topic, checked, other, named), _cdc_batch) as newest
        from (
            select
                source_name,
                table_name,
                images_set_by,
                _cdc_batch,
                min(_cdc_topic) as topic,
                count(*) as checked,
                count_if(not images_are_as_declared) as other,
                min(if(images_are_as_declared, null, named)) as named
            from changes
            where images_are_as_declared is not null
            group by source_name, table_name, images_set_by, _cdc_batch
        ) as batches
        group by source_name, table_name, images_set_by
    ) as updates
    where 2 * newest.other > newest.checked
),

operator_events as (
    select source_name, table_name, split_part(_cdc_event_id, ':', 2) as kind, count(*) as records
    from changes
    where _cdc_op = 'o'
    group by source_name, table_name, split_part(_cdc_event_id, ':', 2)
),

routed as (
    -- records that landed for each table, by topic, and how many of them no run has read yet
    select
        declared.source_name,
        declared.table_name,
        landed.topic,
        landed.records,
        landed.landed_again,
        landed.records - coalesce(sum(verdicts.records), 0) as pending
    from landed
    inner join declared on landed.landing = declared.landing and landed.topic = declared.topic
    left join verdicts
        on
            declared.source_name = verdicts.source_name
            and declared.table_name = verdicts.table_name
            and landed.landing = verdicts.landing
            and landed.topic = verdicts.topic
    group by declared.source_name, declared.table_name, landed.landing, landed.topic, landed.records, landed.landed_again
)

select
    source_name,
    table_name,
    topic,
    outcome,
    cast(null as string) as kind,
    counted as records,
    cast(null as array<string>) as examples
from routed
    lateral view stack(3, 'landed', records, 'pending', pending, 'landed_again', landed_again) as outcome, counted
where counted <> 0
union all
select verdicts.source_name, verdicts.table_name, verdicts.topic, verdicts.outcome, verdicts.kind, verdicts.records, null
from verdicts
inner join declared
    on
        verdicts.source_name = declared.source_name
        and verdicts.table_name = declared.table_name
        and verdicts.landing = declared.landing
        and verdicts.topic = declared.topic
union all
select
    source_name,
    table_name,
    topic,
    outcome,
    kind,
    sum(records),
    array_sort(collect_list(if(number <= 10, named, null)))
from (
    select *, row_number() over (partition by source_name, table_name, topic, outcome, kind order by named) as number
    from findings
) as numbered
group by source_name, table_name, topic, outcome, kind
union all
select source_name, table_name, cast(null as string), 'operator', kind, records, null
from operator_events
union all
select
    'shop',
    null,
    landed.topic,
    if(landed.topic is null, 'refused', 'unrouted'),
    case
        when landed.topic is null then 'unreadable_line'
        when landed.topic = 'pg1.transaction' then 'transaction'
        when landed.topic = 'pg1.message' then 'message'
        when landed.topic = 'pg1-signal' then 'signal'
        when landed.topic = '__debezium-heartbeat.pg1' then 'heartbeat'
        when landed.topic = 'pg1' then 'schema change'
        when landed.topic = 'pg1.shop.mark' then 'marks of the capture rig'
        else 'unknown_topic'
    end,
    landed.records,
    null
from landed
where
    landed.topic is null
    or (landed.landing, landed.topic) not in (
        ('landing.shop_events', 'pg1.shop.customers'),
        ('landing.shop_events', 'pg1.shop.products'),
        ('landing.shop_events', 'pg1.shop.orders'),
        ('landing.shop_events', 'pg1.shop.order_lines'),
        ('landing.shop_events', 'pg1.shop.stock_slots'),
        ('landing.shop_events', 'pg1.shop.carts')
    )
