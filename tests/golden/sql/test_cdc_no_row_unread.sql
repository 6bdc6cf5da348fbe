with

changes as (
    select
        _cdc_key,
        _cdc_previous_key,
        _cdc_op,
        _cdc_snapshot,
        _cdc_landed_ts,
        _cdc_position as position,
        _cdc_order as place,
        (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%'))) as is_table_wide,
        -- a key within a physical table begins with the table's name
        if(startswith(_cdc_key, concat(_cdc_source_table, ' ')), _cdc_source_table, '') as shard
    from afterimage.stg_shop__carts
),

reads as (
    select shard, max(position) as read_at
    from changes
    where _cdc_op = 'r' and _cdc_snapshot = 'initial'
    group by shard
    having max(_cdc_landed_ts) < current_timestamp() - interval '24' hour
),

emptied as (
    select max(position) as emptied_at
    from changes
    where is_table_wide
),

newest as (
    select _cdc_key, shard, max(position) as position, max_by(_cdc_op, place) as op
    from (
        select _cdc_key, shard, position, place, _cdc_op from changes
        union all
        -- an update may have moved the row to another key
        select _cdc_previous_key, shard, position, place, 'd' from changes
        where _cdc_op = 'u'
    ) as of_keys
    where _cdc_key is not null
    group by _cdc_key, shard
)

select
    newest._cdc_key,
    newest.position,
    reads.read_at,
    'a later snapshot of the table did not read this row, and no change tells that it went: was its delete lost?' as failure_reason
from newest
inner join reads on newest.shard = reads.shard
cross join emptied
where
    newest.op in ('c', 'r', 'u', 'x')
    and newest.position < reads.read_at
    and coalesce(newest.position > emptied.emptied_at, true)
