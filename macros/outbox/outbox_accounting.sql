{#
  The outcomes of all landed records of an outbox, by topic.

  In:  records, the ref() of a model of outbox_records; landing, the relation it reads: source() or the ref() of a
       change log.
  Out: a select: source_name, table_name, topic, outcome, kind, records
    landed = event + duplicate + ignored + refused + pending
    outcome  landed; event, the first delivery of each; duplicate, its later deliveries; ignored and refused (kind:
             the reason); pending, landed and not yet read; alarm, two_records_at_one_place: other keys or values
             under one coordinate and timestamp, of which one was read
  Put the generic test cdc_conservation on it.

      {{ afterimage.outbox_accounting(ref('outbox_shop__records'), source('shop', 'outbox')) }}
#}
{% macro outbox_accounting(records, landing) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set node = afterimage.node_of(records, 'an outbox_records model') -%}
  {{ return(afterimage._outbox_accounting(records, landing, afterimage.outbox_of_model(node), node.sources | length == 0)) }}
{%- endmacro %}


{% macro _outbox_accounting(records, landing, outbox, from_change_log) -%}
-- accounting of the outbox {{ outbox['source_name'] }}.{{ outbox['table_name'] }}, made by afterimage.outbox_accounting
with

{{ afterimage.outbox_no_events(records) }}

{{ afterimage.outbox_deliveries(records) }}

landed as (
    {% if from_change_log -%}
    select _cdc_topic as topic, count(*) as records, 0 as colliding
    from {{ landing }}
    where {{ afterimage.is_of_source() }}
    group by _cdc_topic
    {%- else -%}
    select topic, count(*) as records, count_if(one_content <> another_content) as colliding
    from (
        -- one row per coordinate; only hashes of the content are compared
        select topic, min(xxhash64(key, value)) as one_content, max(xxhash64(key, value)) as another_content
        from {{ landing }}
        where {{ afterimage.has_outbox_topic('topic', outbox) }}
        group by topic, partition, offset, timestamp
    ) as places
    group by topic
    {%- endif %}
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
            case when delivery = 1 then 'event' when content_hash = first_hash then 'duplicate' else 'refused' end as outcome,
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
    {{ afterimage.literal(outbox['source_name']) }} as source_name,
    {{ afterimage.literal(outbox['table_name']) }} as table_name,
    topic,
    outcome,
    kind,
    records
from counted
{%- endmacro %}
