with

changes as (
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
    union all
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
)

select source_name, table_name, min(_cdc_topic) as _cdc_topic, 'order_by_landing' as kind, count(*) as records
from changes
where has_key and _cdc_tx_order is null and _cdc_op not in ('t', 'o')
group by
    source_name,
    table_name,
    _cdc_key,
    concat(epoch, _cdc_position),
    _cdc_snapshot = 'none',
    place_is_of_a_row and _cdc_op = 'd'
having count(*) > 1
union all
select
    source_name,
    table_name,
    min(_cdc_topic) as _cdc_topic,
    'order_by_landing' as kind,
    count(distinct _cdc_event_id) as records
from (
    select
        source_name,
        table_name,
        _cdc_topic,
        _cdc_event_id,
        concat(epoch, _cdc_position) as place,
        row_key,
        row_key <=> _cdc_key and _cdc_op <> 'd' as adds
    from changes
        lateral view explode(array_distinct(array(_cdc_key, if(_cdc_op = 'u', _cdc_previous_key, _cdc_key)))) as row_key
    where not has_key and not place_is_of_a_row and _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
) as steps
group by source_name, table_name, place, row_key
having bool_or(adds) and bool_or(not adds)
union all
select source_name, table_name, min(_cdc_topic) as _cdc_topic, 'equal_changes' as kind, count(*) as records
from changes
where _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
group by source_name, table_name, concat(epoch, _cdc_position), substring_index(_cdc_event_id, ':', 4)
having count(*) > 1
