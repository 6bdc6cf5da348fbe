-- newest events of afterimage.stg_shop__carts, made by afterimage.outbox_state
with

restarted as (
    -- an offset that repeats later: the topic was re-created
    select
        _cdc_topic,
        _cdc_partition,
        min(_cdc_landed_ts) as since
    from (
        select
            _cdc_topic,
            _cdc_partition,
            _cdc_landed_ts,
            row_number() over (partition by _cdc_topic, _cdc_partition, _cdc_offset order by _cdc_landed_ts) as life
        from afterimage.stg_shop__carts
    ) as lives
    where life > 1
    group by _cdc_topic, _cdc_partition, life
),

begins as (
    -- one row
    select collect_list(struct(_cdc_topic, _cdc_partition, since)) as begins
    from restarted
),

newest as (
    -- by aggregation, which keeps one payload of each aggregate from the start
    select
        aggregate_type,
        aggregate_id,
        count(*) as events,
        min(event_ts) as first_event_ts,
        size(collect_set(struct(_cdc_topic, _cdc_partition))) as partitions,
        if(
            size(collect_set(struct(_cdc_topic, _cdc_partition))) > 1,
            max_by(event, struct(event_ts, _cdc_topic, _cdc_partition, life, _cdc_offset, _cdc_landed_ts)),
            max_by(event, struct(life, _cdc_offset, _cdc_landed_ts))
        ) as event
    from (
        select
            events.*,
            struct(events.event_id, events.event_type, events.event_ts, events.payload, events.payload_kind) as event,
            size(filter(
                begins.begins,
                began -> began._cdc_topic = events._cdc_topic
                and began._cdc_partition = events._cdc_partition
                and began.since <= events._cdc_landed_ts
            )) as life
        from afterimage.stg_shop__carts as events
        cross join begins
        where events.aggregate_id is not null
    ) as in_lives
    group by aggregate_type, aggregate_id
)

select
    aggregate_type,
    aggregate_id,
    events,
    first_event_ts,
    event.event_id as last_event_id,
    event.event_type as last_event_type,
    event.event_ts as last_event_ts,
    event.payload as last_payload,
    event.payload_kind = 'empty' as is_empty,
    partitions
from newest
