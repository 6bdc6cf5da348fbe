with

changes as (
    select
        'shop' as source_name,
        'carts' as table_name,
        'landing.shop_events' as landing,
        false as has_key,
        false as place_is_of_a_row,
        false as in_write_order,
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
            _cdc_position as read_behind,
            _cdc_position as reached,
            first_delivered as first_offset
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
