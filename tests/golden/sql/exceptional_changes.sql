with

accepted as (
    select
        _cdc_batch_row,
        _cdc_event_id,
        _cdc_event_id as event,
        _cdc_topic,
        _cdc_partition,
        _cdc_offset,
        _cdc_tx_order is null and _cdc_op not in ('t', 'o') and _cdc_connector_run is not null as is_ambiguous,
        coalesce(_cdc_connector_run, '') as connector_run
    from afterimage.stg_shop__carts__batch
    where _cdc_outcome = 'accepted'
),

staged_events as (
    select distinct _cdc_event_id as event
    from afterimage.stg_shop__carts
    where
        _cdc_position between '01' and '09'
        and _cdc_event_id in (select accepted.event from accepted)
),

repeated_events as (
    select event
    from accepted
    group by event
    having count(*) > 1
    union all
    select event
    from staged_events
),

repeated as (
    select
        accepted.*,
        row_number() over (
            partition by accepted.event, accepted._cdc_topic, accepted._cdc_partition, accepted._cdc_offset
            order by accepted._cdc_batch_row
        ) as landed_copy
    from accepted
    left semi join repeated_events on accepted.event = repeated_events.event
),

recognised as (
    -- a change that its event id tells from every other
    select
        repeated._cdc_batch_row,
        repeated._cdc_event_id,
        case
            when repeated.landed_copy > 1 then 0
            when staged_events.event is not null then 2
            else least(2, dense_rank() over (partition by repeated.event order by repeated._cdc_topic, repeated._cdc_partition, repeated._cdc_offset))
        end as copy,
        false as is_renamed
    from repeated
    left join staged_events on repeated.event = staged_events.event
)

select
    _cdc_batch_row,
    if(is_renamed, _cdc_event_id, null) as _cdc_event_id,
    copy as _cdc_delivery
from recognised
where copy <> 1 or is_renamed
