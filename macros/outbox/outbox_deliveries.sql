{#
  CTEs `verdicts` and `deliveries`: the records of an outbox that are events, counted among those of the same event id.
  In:  records, as for outbox_events.
  Out: their columns; delivery, 1 for the first; first_hash, the content of that.
#}
{% macro outbox_deliveries(records) -%}
verdicts as (
    -- a record that was refused and tried again has several rows
    select
        *,
        row_number() over (
            partition by _cdc_topic, _cdc_partition, _cdc_offset, _cdc_landed_ts
            order by outcome = 'event' desc, decided_at desc, fingerprint
        ) as recency
    from {{ records }}
),

deliveries as (
    select
        *,
        row_number() over (partition by event_id order by _cdc_landed_ts, _cdc_topic, _cdc_partition, _cdc_offset, content_hash) as delivery,
        first_value(content_hash) over (partition by event_id order by _cdc_landed_ts, _cdc_topic, _cdc_partition, _cdc_offset, content_hash) as first_hash
    from verdicts
    where recency = 1 and outcome = 'event'
),
{%- endmacro %}
