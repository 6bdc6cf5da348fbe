{#
  The newest event of each aggregate.

  In:  events, the ref() of a model of outbox_events.
  Out: a select of one row an aggregate: aggregate_type, aggregate_id, events, first_event_ts, and of the newest event last_event_id, last_event_type,
       last_event_ts, last_payload, is_empty (its payload is: what that means is the producer's to say); partitions, in how many its events lie.
  Within a partition the order is that of the offsets. Events of an aggregate that lie in several (partition placement) are ordered by timestamp first, which
  is no promise: partitions > 1 says so.
#}
{% macro outbox_state(events) -%}
-- newest events of {{ events }}, made by afterimage.outbox_state
with

placed as (
    select
        *,
        count(distinct_place) over (partition by aggregate_type, aggregate_id) as partitions
    from (
        select
            *,
            if(
                row_number() over (partition by aggregate_type, aggregate_id, _cdc_topic, _cdc_partition order by _cdc_offset) = 1,
                1,
                null
            ) as distinct_place
        from {{ events }}
        where aggregate_id is not null
    ) as counted
),

ordered as (
    select
        *,
        row_number() over (
            partition by aggregate_type, aggregate_id
            order by if(partitions > 1, event_ts, null) desc, _cdc_topic desc, _cdc_partition desc, _cdc_offset desc, _cdc_landed_ts desc
        ) as recency,
        count(*) over (partition by aggregate_type, aggregate_id) as events,
        min(event_ts) over (partition by aggregate_type, aggregate_id) as first_event_ts
    from placed
)

select
    aggregate_type,
    aggregate_id,
    events,
    first_event_ts,
    event_id as last_event_id,
    event_type as last_event_type,
    event_ts as last_event_ts,
    payload as last_payload,
    payload_kind = 'empty' as is_empty,
    partitions
from ordered
where recency = 1
{%- endmacro %}
