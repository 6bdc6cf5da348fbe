with

accepted as (
    select
        _cdc_batch_row,
        _cdc_event_id,
        _cdc_event_id as event,
        struct(_cdc_topic, _cdc_partition, _cdc_offset) as coordinate,
        _cdc_tx_order is null and _cdc_op not in ('t', 'o') and _cdc_connector_run is not null as is_ambiguous,
        coalesce(_cdc_connector_run, '') as connector_run
    from afterimage.stg_shop__carts__batch
    where _cdc_outcome = 'accepted'
),

staged_events as (
    select _cdc_event_id as event
    from afterimage.stg_shop__carts
    where
        _cdc_position between '01' and '09'
        and _cdc_event_id in (select accepted.event from accepted)
),

repeated_hashes as (
    -- narrow: only the hashes of all events are sorted
    select event_hash
    from (
        select xxhash64(event) as event_hash
        from accepted
        union all
        select xxhash64(event)
        from staged_events
    ) as hashes
    group by event_hash
    having count(*) > 1
),

may_repeat as (
    select accepted.*
    from accepted
    left semi join repeated_hashes on xxhash64(accepted.event) = repeated_hashes.event_hash
),

repeated as (
    -- two events may share a hash: one that is alone here is new
    select
        may_repeat.*,
        staged.event is not null as is_staged,
        row_number() over (
            partition by may_repeat.event order by may_repeat.coordinate, may_repeat._cdc_batch_row
        ) as place_in_event,
        coalesce(may_repeat.coordinate = lag(may_repeat.coordinate) over within_event, false) as is_landed_twice
    from may_repeat
    left join (select distinct event from staged_events) as staged on may_repeat.event = staged.event
    window within_event as (partition by may_repeat.event order by may_repeat.coordinate, may_repeat._cdc_batch_row)
)

-- a change that its event id identifies
select
    _cdc_batch_row,
    cast(null as string) as _cdc_event_id,
    if(is_landed_twice, 0, 2) as _cdc_delivery
from repeated
where
    (is_landed_twice or is_staged or place_in_event > 1)
