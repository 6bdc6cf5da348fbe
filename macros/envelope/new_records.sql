{#
  CTEs `landed`, `decided`, `new_records`: the landed records of the contract's topic that have no final verdict.
  Exact by an anti-join on the landing coordinate; a record refused under another fingerprint counts as new.
  In: landing relation, contract, fingerprint, the change log built so far or none.
#}
{% macro new_records(landing, contract, fingerprint, change_log) -%}
landed as (
    -- routed by topic alone: nothing is parsed to know whose record it is
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        cast(key as string) as record_key,
        cast(value as string) as record_value
    from {{ landing }}
    where topic = {{ afterimage.literal(contract['topic']) }}
),

{% if change_log -%}
decided as (
    select _cdc_partition as partition, _cdc_offset as offset
    from {{ change_log }}
    union all
    select partition, offset
    from {{ afterimage.beside(change_log, 'ledger') }}
    -- resolved is no verdict: it is written before the change itself, and a run may end between the two
    where outcome not in ('refused', 'resolved') or (outcome = 'refused' and fingerprint = '{{ fingerprint }}')
),

new_records as (
    select landed.*
    from landed
    left anti join decided
        on landed.partition = decided.partition and landed.offset = decided.offset
),
{%- else -%}
new_records as (
    select * from landed
),
{%- endif %}
{%- endmacro %}
