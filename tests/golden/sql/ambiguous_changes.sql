with

changes_of_logs as (
    select
        'shop' as source_name,
        'carts' as table_name,
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
    from afterimage.stg_shop__carts
    union all
    select
        'shop',
        'carts',
        'landing.shop_events',
        false,
        false,
        false,
        false,
        true,
        false,
        '',
        cast(null as string),
        cast(null as boolean),
        cast(null as string) as shown_key,
        cast(null as string) as shown_previous_key,
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
        'carts' as table_name,
        'landing.shop_events' as landing,
        '' as epoch,
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__carts__ledger
    union all
    select
        'shop',
        'carts',
        'landing.shop_events',
        '',
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__carts__ledger
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
)

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
    lateral view explode(
        array_distinct(array(_cdc_key, if(_cdc_op = 'u', coalesce(_cdc_previous_key, _cdc_key), _cdc_key)))
    ) as row_key
where has_key and _cdc_tx_order is null and _cdc_op not in ('t', 'o')
group by
    source_name,
    table_name,
    row_key,
    concat(epoch, _cdc_position),
    _cdc_snapshot = 'none',
    position_identifies_row and _cdc_op = 'd'
having count(*) > 1
union all
select
    source_name,
    table_name,
    min(_cdc_topic) as topic,
    'ambiguous' as outcome,
    'order_by_landing' as kind,
    count(distinct _cdc_event_id) as records,
    min(named) as named
from (
    select
        *,
        concat(epoch, _cdc_position) as place,
        row_key <=> _cdc_key and _cdc_op <> 'd' as adds
    from changes
        lateral view explode(array_distinct(array(_cdc_key, if(_cdc_op = 'u', _cdc_previous_key, _cdc_key)))) as row_key
    where not has_key and not position_identifies_row and _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
) as steps
group by source_name, table_name, place, row_key
having bool_or(adds) and bool_or(not adds)
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
select source_name, table_name, _cdc_topic, 'ambiguous', 'transaction_order_restarted', 1, named
from (
    select
        *,
        max(_cdc_tx_order) over (
            partition by source_name, table_name, _cdc_topic, _cdc_partition, _cdc_key, concat(epoch, _cdc_position)
            order by first_delivered rows between unbounded preceding and 1 preceding
        ) as order_before
    from delivered
    where not (has_key and position_identifies_row) and _cdc_tx_order is not null and _cdc_op not in ('t', 'o')
) as in_transactions
where not is_scattered and _cdc_tx_order <= order_before
