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
        _cdc_op,
        _cdc_key,
        _cdc_previous_key,
        _cdc_position,
        _cdc_order,
        _cdc_event_id,
        _cdc_image_hash,
        _cdc_topic,
        _cdc_partition,
        _cdc_offset,
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
    'alarm' as outcome,
    'row_never_seen' as kind,
    count(*) as records,
    min(named) as named
from (
    select
        *,
        map(
            false, if(_cdc_op = 'd', null, _cdc_key), true, if(_cdc_op = 'd', _cdc_key, _cdc_previous_key)
        ) as rows_meant,
        bool_or(_cdc_op = 'r') over (partition by source_name, table_name) as is_read
    from changes
    where not has_key and _cdc_op <> 'o'
) as keyless_changes
    lateral view explode(rows_meant) as is_taken, row_meant
where is_read and row_meant is not null
group by source_name, table_name, row_meant
having bool_and(is_taken)
