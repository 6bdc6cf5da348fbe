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

repeated_events as (
    select event, max(is_staged) as is_staged
    from (
        select event, false as is_staged
        from accepted
        union all
        select event, true as is_staged
        from staged_events
    ) as events
    group by event
    having count(*) > 1 or max(is_staged)
),

repeated as (
    select
        accepted.*,
        repeated_events.is_staged,
        row_number() over (
            partition by accepted.event order by accepted.coordinate, accepted._cdc_batch_row
        ) as place_in_event,
        coalesce(accepted.coordinate = lag(accepted.coordinate) over within_event, false) as is_landed_twice
    from accepted
    inner join repeated_events on accepted.event = repeated_events.event
    window within_event as (partition by accepted.event order by accepted.coordinate, accepted._cdc_batch_row)
),

recognised as (
    -- a change that its event id tells from every other
    select
        _cdc_batch_row,
        _cdc_event_id,
        case
            when is_landed_twice then 0
            when is_staged or place_in_event > 1 then 2
            else 1
        end as copy,
        false as is_renamed
    from repeated
)

select
    _cdc_batch_row,
    if(is_renamed, _cdc_event_id, null) as _cdc_event_id,
    copy as _cdc_delivery
from recognised
where copy <> 1 or is_renamed
