{#
  The events of an outbox, each once: the first of all deliveries of an event id, by timestamp, topic, partition and
  offset. So the rows are the same however often, in whatever order and in how many runs the records arrived.

  In:  records, the ref() of a model of outbox_records.
  Out: a select of one row for each event: event_id, event_type, aggregate_type, aggregate_id, payload, payload_kind,
  payload_form, schema_version, placed, headers, event_ts, deliveries (how often it landed), and the landing
  coordinate of the first delivery with position and transaction, as in outbox_records. A record whose id an earlier
  event with another content has is in outbox_quarantine.

      {{ afterimage.outbox_events(ref('outbox_shop__records')) }}
#}
{% macro outbox_events(records) -%}
-- events of {{ records }}, made by afterimage.outbox_events
with

{{ afterimage.outbox_deliveries(records) }}

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
{%- endmacro %}
