-- events of afterimage.stg_shop__carts, made by afterimage.outbox_events
with

deliveries as (
    select
        *,
        row_number() over by_landing as delivery,
        first_value(content_hash) over by_landing as first_hash,
        coalesce(
            lag(
                struct(_cdc_landed_ts, _cdc_topic, _cdc_partition, _cdc_offset)
            ) over by_landing <=> struct(_cdc_landed_ts, _cdc_topic, _cdc_partition, _cdc_offset),
            false
        ) as is_copy
    from afterimage.stg_shop__carts
    where outcome = 'event'
    window by_landing as (
        partition by event_id
        order by _cdc_landed_ts, _cdc_topic, _cdc_partition, _cdc_offset, decided_at desc, content_hash
    )
),

events as (
    select
        *,
        count_if(content_hash = first_hash) over (partition by event_id) as deliveries
    from deliveries
    where not is_copy
)

select
    event_id,
    event_type,
    aggregate_type,
    aggregate_id,
    payload,
    payload_kind,
    payload_form,
    schema_version,
    placed,
    headers,
    event_ts,
    deliveries,
    _cdc_topic,
    _cdc_partition,
    _cdc_offset,
    _cdc_landed_ts,
    _cdc_position,
    _cdc_tx_id
from events
where delivery = 1
