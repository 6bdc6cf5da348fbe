with

changes_of_logs as (
    select
        'shop' as source_name,
        'carts' as table_name,
        'landing.shop_events' as landing,
        true as has_key,
        false as position_identifies_row,
        false as place_is_offset,
        false as in_write_order,
        true as is_one_table,
        false as names_tables,
        _cdc_key as shard,
        cast(null as string) as images_set_by,
        cast(null as boolean) as images_are_as_declared,
        _cdc_key as shown_key,
        _cdc_previous_key as shown_previous_key,
        '' as epoch,
        true as in_row_order,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_order, _cdc_event_id, _cdc_image_hash,
        _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table, _cdc_source_ts, _cdc_batch
    from afterimage.stg_shop__carts
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
        false,
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
    _cdc_topic as topic,
    'alarm' as outcome,
    if(
        read_behind < if(is_first_read, committed_before, reached_before), 'position_went_back', 'clock_went_back'
    ) as kind,
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
                if(_cdc_snapshot = 'incremental', null, _cdc_position),
                coalesce(
                    _cdc_committed_after,
                    max(_cdc_position) over (
                        partition by
                            source_name, table_name, _cdc_topic, _cdc_partition, epoch, _cdc_op = 'r', _cdc_tx_id
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
        where (_cdc_snapshot in ('none', 'initial') or (in_row_order and _cdc_snapshot = 'incremental'))
    ) as streamed
) as compared
where not is_scattered
    and (read_behind < if(is_first_read, committed_before, reached_before) or made_at < made_before - interval 1 day)
