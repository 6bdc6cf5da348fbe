{#
  CTEs `landed`, `decided`, `new_records`: the landed records of the contract's topic that have no final verdict.
  Exact by an anti-join on the landing coordinate within the topic; a record refused under another fingerprint counts as new.
  In: landing relation, contract, fingerprint, the change log built so far or none, waiting (how many coordinates are undecided, or none).
#}
{% macro new_records(landing, contract, fingerprint, change_log, waiting=none) -%}
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
    where _cdc_topic = {{ afterimage.literal(contract['topic']) }}
    {%- if afterimage.is_there(afterimage.beside(change_log, 'ledger')) %}
    union all
    select partition, offset
    from {{ afterimage.beside(change_log, 'ledger') }}
    where
        topic = {{ afterimage.literal(contract['topic']) }}
        -- resolved is no verdict: it is written before the change itself, and a run may end between the two
        and (outcome in ('ignored', 'duplicate') or (outcome = 'refused' and fingerprint = '{{ fingerprint }}'))
    {%- endif %}
),

undecided as (
    -- coordinates alone: the records themselves are read for these only
    select landed.partition, landed.offset
    from landed
    left anti join decided
        on landed.partition = decided.partition and landed.offset = decided.offset
),

new_records as (
    select{{ (' ' ~ afterimage.broadcast_hint('undecided', waiting)).rstrip() }} landed.*
    from landed
    left semi join undecided
        on landed.partition = undecided.partition and landed.offset = undecided.offset
),
{%- else -%}
new_records as (
    select * from landed
),
{%- endif %}
{%- endmacro %}


{#
  How many landed records of the contract's topic wait for a verdict; none on a first run. One narrow anti-join, asked before the models'
  own statement so that a run with nothing new parses nothing, and a small batch is not paid for with a shuffle of all that landed.
#}
{% macro waiting_records(landing, contract, fingerprint, change_log) -%}
  {% if change_log is none -%}{{ return(none) }}{% endif -%}
  {% set found = run_query(
    'with ' ~ afterimage.new_records(landing, contract, fingerprint, change_log) ~ ' asked as (select 1) select count(*) from undecided') -%}
  {{ return(found.rows[0][0]) }}
{%- endmacro %}


{#
  The line of a change log's compiled SQL that says how much waits. The materialization reads it there, so that landing is asked once.
#}
{% macro waiting_note(waiting) %}
  {{ return('waiting for a verdict: ' ~ ('all landed records' if waiting is none else waiting ~ ' records')) }}
{% endmacro %}
