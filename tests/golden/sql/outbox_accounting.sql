-- accounting of the outbox shop.outbox, made by afterimage.outbox_accounting
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

landed as (
    select topic, count(*) as records, count_if(one_content <> another_content) as colliding
    from (
        -- one row per coordinate; only hashes of the content are compared
        select topic, min(xxhash64(key, value)) as one_content, max(xxhash64(key, value)) as another_content
        from landing.shop_events
        where topic rlike '\\Aoutbox\\.event\\.(.+)\\z'
        group by topic, partition, offset, timestamp
    ) as places
    group by topic
),

decided as (
    select _cdc_topic as topic, outcome, reason as kind, count(*) as records
    from no_events
    group by _cdc_topic, outcome, reason
    union all
    select topic, outcome, kind, count(*)
    from (
        select
            _cdc_topic as topic,
            case
                when delivery = 1 then 'event' when content_hash = first_hash then 'duplicate' else 'refused'
            end as outcome,
            if(content_hash = first_hash, null, 'event_id_reused') as kind
        from deliveries
        where not is_copy
    ) as judged
    group by topic, outcome, kind
),

counted as (
    select topic, 'landed' as outcome, cast(null as string) as kind, records
    from landed
    union all
    select topic, outcome, kind, records
    from decided
    union all
    select landed.topic, 'pending', null, landed.records - coalesce(sum(decided.records), 0) as records
    from landed
    left join decided on landed.topic = decided.topic
    group by landed.topic, landed.records
    having landed.records <> coalesce(sum(decided.records), 0)
    union all
    select topic, 'alarm', 'two_records_at_one_place', colliding
    from landed
    where colliding > 0
)

select
    'shop' as source_name,
    'outbox' as table_name,
    topic,
    outcome,
    kind,
    records
from counted
