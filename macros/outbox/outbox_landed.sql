{#
  CTEs from `landed` to `texts`: the unprocessed records of an outbox's topics, once each, as texts.
  In:  landing; outbox; schemas; built, if a step `decided` has the processed records, otherwise none.
  Out: topic, partition, offset, timestamp, headers, record_key, record_value, unreadable (as
  avro_records), is_text.
#}
{% macro outbox_landed(landing, outbox, schemas, built) -%}
{% set is_avro = outbox['value_converter'] == 'avro' or (outbox['value_converter'] == 'binary' and outbox['payload'] == 'avro') -%}
landed as (
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        cast(key as binary) as key_bytes,
        cast(value as binary) as value_bytes
    from {{ landing }}
    where {{ afterimage.has_outbox_topic('topic', outbox) }}
),

new_records as (
    -- a record that landed twice counts once; of two at one coordinate one is read (an alarm in outbox_accounting)
    select
        landed.topic,
        landed.partition,
        landed.offset,
        landed.timestamp,
        min(struct(landed.key_bytes, landed.value_bytes)).key_bytes as key_bytes,
        min(struct(landed.key_bytes, landed.value_bytes)).value_bytes as value_bytes,
        min_by(landed.headers, struct(landed.key_bytes, landed.value_bytes)) as headers
    from landed
    {%- if built %}
    left anti join decided
        on
            landed.topic = decided._cdc_topic
            and landed.partition = decided._cdc_partition
            and landed.offset = decided._cdc_offset
            and landed.timestamp <=> decided._cdc_landed_ts
    {%- endif %}
    group by landed.topic, landed.partition, landed.offset, landed.timestamp
),

{% if is_avro -%}
{{ afterimage.avro_records(dict(outbox, format='debezium_json'), schemas) }}

{% endif -%}
texts as (
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        {% if is_avro -%}
        record_key,
        record_value,
        {# a value without frame is not the application's, and may be a control record under a delegate converter -#}
        case
            when unreadable is not null then unreadable
            {%- if outbox['payload'] == 'avro' and outbox['value_converter'] == 'binary' %}
            when value_schema is null and record_value <> '' then 'broken_avro'
            {%- endif %}
        end as unreadable,
        true as is_text
        {%- else -%}
        cast(key_bytes as string) as record_key,
        {{ 'base64(value_bytes)' if afterimage._carries_bytes(outbox) else 'cast(value_bytes as string)' }} as record_value,
        cast(null as string) as unreadable,
        {{ 'true' if afterimage._carries_bytes(outbox) else 'coalesce(is_valid_utf8(cast(value_bytes as string)), true)' }} as is_text
        {%- endif %}
    from {{ 'read_records' if is_avro else 'new_records' }}
),
{%- endmacro %}


{# Whether values are bytes of the application that are never decoded. #}
{% macro _carries_bytes(outbox) %}
  {{ return(outbox['captured'] == 'router' and outbox['value_converter'] == 'binary' and outbox['payload'] == 'binary') }}
{% endmacro %}
