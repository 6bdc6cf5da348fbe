{#
  CTE `deliveries`: the records of an outbox that are events, numbered within their event id.
  In:  records, as for outbox_events; only, a condition (SQL) on them (`judged`), none for all.
  Out: their columns; delivery, 1 for the first; first_hash, the content of that; is_copy, a row for a record that was
  already read: two runs read it at once.
  All windows are over one event id, so the payloads are shuffled once.
#}
{% macro outbox_deliveries(records, only=none) -%}
deliveries as (
    select
        *,
        row_number() over by_landing as delivery,
        first_value(content_hash) over by_landing as first_hash,
        coalesce(
            lag(struct(_cdc_landed_ts, _cdc_topic, _cdc_partition, _cdc_offset)) over by_landing <=> struct(_cdc_landed_ts, _cdc_topic, _cdc_partition, _cdc_offset),
            false
        ) as is_copy
    from {{ records }}{{ ' as judged' if only }}
    where outcome = 'event'{{ ' and ' ~ only if only }}
    window by_landing as (partition by event_id order by _cdc_landed_ts, _cdc_topic, _cdc_partition, _cdc_offset, decided_at desc, content_hash)
),
{%- endmacro %}
