{#
  The quarantine of an outbox: every refused record that no later run has accepted, and every event whose id an
  earlier one with another content has.

  In:  records, the ref() of a model of outbox_records.
  Out: a select with the columns of a source's quarantine: source_name, table_name, topic, partition, offset,
  landed_at, reason, detail, record_key, record_value, refused_at; and event_id. Put the generic test
  cdc_refused_at_most on it.

      {{ afterimage.outbox_quarantine(ref('outbox_shop__records')) }}
#}
{% macro outbox_quarantine(records) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set outbox = afterimage.outbox_of_model(model) -%}
  {{ return(afterimage._outbox_quarantine(records, outbox)) }}
{%- endmacro %}


{% macro _outbox_quarantine(records, outbox) -%}
-- quarantine of the outbox {{ outbox['source_name'] }}.{{ outbox['table_name'] }}, made by afterimage.outbox_quarantine
with

{{ afterimage.outbox_no_events(records) }}

ids_reused as (
    -- only hashes: usually there are none, and then no payload is read
    select event_id
    from {{ records }}
    where outcome = 'event'
    group by event_id
    having min(content_hash) <> max(content_hash)
),

{{ afterimage.outbox_deliveries(records, '(select count(*) from ids_reused) > 0 and judged.event_id in (select ids_reused.event_id from ids_reused)') }}

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
    {{ afterimage.literal(outbox['source_name']) }} as source_name,
    {{ afterimage.literal(outbox['table_name']) }} as table_name,
    _cdc_topic as topic,
    _cdc_partition as partition,
    _cdc_offset as offset,
    _cdc_landed_ts as landed_at,
    if(outcome = 'event', 'event_id_reused', reason) as reason,
    detail,
    if(outcome = 'event', aggregate_id, record_key) as record_key,
    if(outcome = 'event', {{ "concat('sha256:', sha2(payload, 256))" if outbox['sensitive'] else 'payload' }}, record_value) as record_value,
    decided_at as refused_at,
    event_id
from refused
{%- endmacro %}
