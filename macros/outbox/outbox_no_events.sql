{#
  CTE `no_events`: the newest verdict on each record of an outbox that no run accepted as an event. A refused record
  that was tried again has several.
  In:  records, as for outbox_events.
  Out: their columns.
#}
{% macro outbox_no_events(records) -%}
verdicts as (
    select
        *,
        row_number() over (partition by _cdc_topic, _cdc_partition, _cdc_offset, _cdc_landed_ts order by decided_at desc, fingerprint) as recency
    from {{ records }}
    where outcome <> 'event'
),

no_events as (
    select verdicts.*
    from verdicts
    left anti join {{ records }} as taken
        on
            taken.outcome = 'event'
            and verdicts._cdc_topic = taken._cdc_topic
            and verdicts._cdc_partition = taken._cdc_partition
            and verdicts._cdc_offset = taken._cdc_offset
            and verdicts._cdc_landed_ts <=> taken._cdc_landed_ts
    where verdicts.recency = 1
),
{%- endmacro %}
