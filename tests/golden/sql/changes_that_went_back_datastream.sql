with

changes as (
    select
        'shop' as source_name,
        'carts' as table_name,
        'landing.shop_events' as landing,
        true as has_key,
        false as place_is_of_a_row,
        false as in_write_order,
        true as is_one_table,
        '' as shard,
        '' as epoch,
        true as in_any_order,
        coalesce(_cdc_source_change_type = 'UPDATE-DELETE', false) as goes_first,
        _cdc_source_ts,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_event_id, _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table
    from afterimage.stg_shop__carts
    union all
    select
        'shop' as source_name,
        'carts' as table_name,
        'landing.shop_events' as landing,
        false as has_key,
        true as place_is_of_a_row,
        true as in_write_order,
        true as is_one_table,
        '' as shard,
        '' as epoch,
        false as in_any_order,
        coalesce(_cdc_op = 'd', false) as goes_first,
        _cdc_source_ts,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_event_id, _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table
    from afterimage.stg_shop__carts
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
        'shop' as source_name,
        'carts' as table_name,
        'landing.shop_events' as landing,
        '' as epoch,
        topic, partition, offset, event_id, outcome, kind, batch
    from afterimage.stg_shop__carts__ledger
)

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
        where _cdc_snapshot in ('none', 'initial') and _cdc_op <> 'o' and not in_any_order
    ) as streamed
) as compared
where read_behind < reached_before
union all
select source_name, table_name, _cdc_topic
from (
    select
        source_name,
        table_name,
        _cdc_topic,
        _cdc_source_ts,
        min(_cdc_source_ts) over (
            partition by source_name, table_name, _cdc_topic, epoch, shard
            order by _cdc_position desc rows between unbounded preceding and 1 preceding
        ) as made_behind
    from changes
    where in_any_order and _cdc_snapshot = 'none' and _cdc_op <> 'o'
) as in_log_order
where _cdc_source_ts > made_behind + interval 1 day
