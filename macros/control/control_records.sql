{#
  CTE `control_records`: the landed records of some control topics, once each, in JSON or in Avro as the contract
  says.
  In:  landings, relations; contract, of a table of the same connector; topics, list.
  Out: topic, partition, offset, timestamp, record_key, record_value (texts without schema block).
  A record is identified by its coordinate and timestamp: in a recreated topic, offsets repeat.
#}
{% macro control_records(landings, contract, topics) -%}
{% set around = dict(contract, topics=topics, format='debezium_json') -%}
{% set record = ['topic', 'partition', 'offset', 'timestamp'] -%}
new_records as (
    {%- for landing in landings %}
    select
        {{ record | join(',\n        ') }},
        headers,
        {% if contract['avro_schemas'] -%}
        cast(key as binary) as key_bytes,
        cast(value as binary) as value_bytes
        {%- else -%}
        {{ afterimage.landed_json('cast(key as string)') }} as record_key,
        {{ afterimage.landed_json('cast(value as string)') }} as record_value
        {%- endif %}
    from {{ landing }}
    where {{ afterimage.has_topic('topic', around) }}
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

{% if contract['avro_schemas'] -%}
{{ afterimage.avro_records(around, afterimage.avro_schemas(around)) }}

{% endif -%}
control_records as (
    -- a record that landed twice counts once
    select
        {{ record | join(',\n        ') }},
        parsed.record_key,
        parsed.record_value
    from (
        select
            {{ record | join(',\n            ') }},
            any_value(struct(
                {{ afterimage.without_schema('record_key') }} as record_key,
                {{ afterimage.without_schema('record_value') }} as record_value
            )) as parsed
        from {{ afterimage.records_read(around) }}
        group by topic, partition, offset, timestamp
    ) as once
),
{%- endmacro %}
