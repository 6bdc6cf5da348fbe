with

changes_of_logs as (
    select
        'shop' as source_name,
        'carts' as table_name,
        'landing.shop_events' as landing,
        false as has_key,
        true as position_identifies_row,
        false as place_is_offset,
        true as in_write_order,
        true as is_one_table,
        false as names_tables,
        '' as shard,
        'replica_identity' as images_set_by,
        if(_cdc_op = 'u', _cdc_previous_key is not null, null) as images_are_as_declared,
        cast(null as string) as shown_key,
        cast(null as string) as shown_previous_key,
        '' as epoch,
        _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_order, _cdc_event_id, _cdc_image_hash,
        _cdc_topic, _cdc_partition, _cdc_offset,
        _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table, _cdc_source_ts, _cdc_batch
    from afterimage.stg_shop__carts
),

changes as (
    select *, concat_ws(' ', concat_ws(':', _cdc_partition, _cdc_offset), shown_key) as named from changes_of_logs
)

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
