{#
  CTEs `landed`, `processed`, `new_records`: the landed records of the contract's topic that have no final verdict.
  Exact by an anti-join on the landing coordinate within the topic; a record refused under another fingerprint counts
  as new.
  In: landing (a relation, or SQL of a part of one, see landed_since), contract, fingerprint, the change log built so
  far or none, pending (how many coordinates are unprocessed, or none), epochs; region, below which everything is
  known to be processed (see region_read), or none; as_landed, whether texts stay as they landed.
  Out: topic, partition, offset, timestamp, headers; record_key and record_value, texts, or the bytes that
  avro_records reads (key_bytes, value_bytes); landed_hash, by which marked_records finds a record again.
#}
{% macro new_records(landing, contract, fingerprint, change_log, pending=none, epochs=[], region=none, as_landed=false) -%}
{{ afterimage._landed(landing, contract, region, as_landed) }}

{% if change_log and not region -%}
{% set ledger = afterimage.companion_table(change_log, 'ledger') -%}
refused as (
    select topic, partition, offset, landed_at as timestamp, max(records) as records
    from (
        select topic, partition, offset, landed_at, count(*) as records
        from {{ ledger }}
        where {{ afterimage.has_topic('topic', contract) }} and outcome = 'refused' and fingerprint = '{{ fingerprint }}'
        group by topic, partition, offset, landed_at, batch
    ) as by_batch
    group by topic, partition, offset, landed_at
),

landed_whole as (
    -- more landed at a refused record's coordinates than was refused: it may be complete now
    select refused.topic, refused.partition, refused.offset, refused.timestamp
    from landed
    inner join refused
        on {{ afterimage.same_place('landed', 'refused', contract, epochs) }} and landed.timestamp <=> refused.timestamp
    group by refused.topic, refused.partition, refused.offset, refused.timestamp, refused.records
    having count(*) > refused.records
),

processed as (
    select _cdc_topic as topic, _cdc_partition as partition, _cdc_offset as offset, _cdc_landed_ts as timestamp
    from {{ change_log }}
    where {{ afterimage.has_topic('_cdc_topic', contract) }}
    union all
    select topic, partition, offset, landed_at as timestamp
    from {{ ledger }}
    where
        {{ afterimage.has_topic('topic', contract) }}
        -- resolved is not a verdict: it is written before the change itself, and a run may end between the two
        and outcome in ('ignored', 'duplicate')
        {%- if epochs %}
        -- a duplicate may not be one once its epoch is declared
        and (outcome <> 'duplicate' or fingerprint = '{{ fingerprint }}' or {{ afterimage.epoch_prefix('landed_at', epochs) }} = '')
        {%- endif %}
    union all
    select refused.topic, refused.partition, refused.offset, refused.timestamp
    from refused
    left anti join landed_whole
        on {{ afterimage.same_place('refused', 'landed_whole', contract, epochs) }} and refused.timestamp <=> landed_whole.timestamp
),

unprocessed as (
    -- only coordinates: the records themselves are read for these alone
    select landed.topic, landed.partition, landed.offset, landed.timestamp
    from landed
    left anti join processed
        on {{ afterimage.same_place('landed', 'processed', contract, epochs) }}
),

new_records as (
    select{{ (' ' ~ afterimage.broadcast_hint('unprocessed', pending)).rstrip() }} landed.*
    from landed
    left semi join unprocessed
        on {{ afterimage.same_place('landed', 'unprocessed', contract, epochs) }}
),
{%- else -%}
new_records as (
    select * from landed
),
{%- endif %}
{%- endmacro %}


{#
  The same CTEs for only those records that the routine statement has marked in a batch: landing is read again for
  them. Their coordinates find them, and the hash distinguishes a record from another one landed at the same
  coordinate. In: as new_records; batch, the table they are marked in.
#}
{% macro marked_records(landing, contract, batch, marked=none, region=none) -%}
{{ afterimage._landed(landing, contract, region) }}

marked as (
    select
        _cdc_topic as topic,
        _cdc_partition as partition,
        _cdc_offset as offset,
        cast(_cdc_detail as bigint) as landed_hash
    from {{ batch }}
    where _cdc_outcome = 'marked'
),

new_records as (
    select{{ (' ' ~ afterimage.broadcast_hint('marked', marked)).rstrip() }} landed.*
    from landed
    left semi join marked
        on
            landed.topic = marked.topic
            and landed.partition <=> marked.partition
            and landed.offset <=> marked.offset
            and landed.landed_hash = marked.landed_hash
),
{%- endmacro %}


{# CTE `landed`: the landed records of a contract's topics. In and out: as new_records. #}
{% macro _landed(landing, contract, region, as_landed=false) -%}
landed as (
    -- routed by topic: nothing is parsed to find a record's table
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        {% if contract['avro_schemas'] -%}
        cast(key as binary) as key_bytes,
        cast(value as binary) as value_bytes,
        {%- elif as_landed -%}
        cast(key as string) as record_key,
        cast(value as string) as record_value,
        {%- else -%}
        {{ afterimage._landed_text('key', contract) }} as record_key,
        {{ afterimage._landed_text('value', contract) }} as record_value,
        {%- endif %}
        xxhash64(timestamp, headers, key, value) as landed_hash
    from {{ landing }}
    where
        {{ afterimage.has_topic('topic', contract) }}
        {%- if region %}
        -- everything below was processed and has not changed since
        and {{ afterimage.above_region(region, contract) }}
        {%- endif %}
),
{%- endmacro %}


{# The text of a column of landing, as all readers use it. In: column, contract. Out: SQL. #}
{% macro _landed_text(column, contract) %}
  {% set text = afterimage.landed_json('cast(' ~ column ~ ' as string)') %}
  {{ return(afterimage.long_numbers_quoted(text) if afterimage.has_long_numbers(contract) else text) }}
{% endmacro %}


{# SQL of the values of new records, including some processed ones if no region is given. In: as new_records. #}
{% macro new_values(landing, contract, region=none) %}
  {{ return('select value from ' ~ landing ~ ' where value is not null and ' ~ afterimage.has_topic('topic', contract)
            ~ (' and ' ~ afterimage.above_region(region, contract) if region else '')) }}
{% endmacro %}


{# SQL that joins two relations of landed records on a coordinate of a topic, within its epoch. #}
{% macro same_place(one, other, contract, epochs) %}
  {% set parts = [] %}
  {% for name in (['topic'] if contract['topics'] | length > 1 else []) + ['partition', 'offset'] %}{% do parts.append(one ~ '.' ~ name ~ ' = ' ~ other ~ '.' ~ name) %}{% endfor %}
  {% if epochs %}
    {% do parts.append(afterimage.epoch_prefix(one ~ '.timestamp', epochs) ~ ' = ' ~ afterimage.epoch_prefix(other ~ '.timestamp', epochs)) %}
  {% endif %}
  {{ return(parts | join(' and ')) }}
{% endmacro %}
