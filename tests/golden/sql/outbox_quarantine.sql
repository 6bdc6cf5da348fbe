-- quarantine of the outbox shop.outbox, made by afterimage.outbox_quarantine
with

verdicts as (
    select
        *,
        row_number() over (
            partition by _cdc_topic, _cdc_partition, _cdc_offset, _cdc_landed_ts order by decided_at desc, fingerprint
        ) as recency
    from afterimage.stg_shop__carts
    where outcome <> 'event'
),

no_events as (
    select verdicts.*
    from verdicts
    left anti join afterimage.stg_shop__carts as taken
        on
            taken.outcome = 'event'
            and verdicts._cdc_topic = taken._cdc_topic
            and verdicts._cdc_partition = taken._cdc_partition
            and verdicts._cdc_offset = taken._cdc_offset
            and verdicts._cdc_landed_ts <=> taken._cdc_landed_ts
    where verdicts.recency = 1
),

ids_reused as (
    -- only hashes: usually there are none, and then no payload is read
    select event_id
    from afterimage.stg_shop__carts
    where outcome = 'event'
    group by event_id
    having min(content_hash) <> max(content_hash)
),

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
    from afterimage.stg_shop__carts as judged
    where outcome = 'event'
        and (select count(*) from ids_reused) > 0
        and judged.event_id in (select ids_reused.event_id from ids_reused)
    window by_landing as (
        partition by event_id
        order by _cdc_landed_ts, _cdc_topic, _cdc_partition, _cdc_offset, decided_at desc, content_hash
    )
),

refused as (
    select * except (recency)
    from no_events
    where outcome = 'refused'
    union all
    -- an event with the same id and another content
    select * except (delivery, first_hash, is_copy)
    from deliveries
    where content_hash <> first_hash and not is_copy
)

select
    'shop' as source_name,
    'outbox' as table_name,
    _cdc_topic as topic,
    _cdc_partition as partition,
    _cdc_offset as offset,
    _cdc_landed_ts as landed_at,
    if(outcome = 'event', 'event_id_reused', reason) as reason,
    detail,
    if(outcome = 'event', aggregate_id, record_key) as record_key,
    if(outcome = 'event', payload, record_value) as record_value,
    decided_at as refused_at,
    event_id
from refused
