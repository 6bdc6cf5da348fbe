{#
  Debezium JSON, with or without the schema block, mixed as they come.
  Out: SQL type of the envelope as from_json reads it. Scalars of the envelope are read as text because some versions of the
  connectors quote them; the row images are typed, so a literal of the wrong kind is seen.
#}
{% macro debezium_json_type(contract, columns) %}
  {% set fields = [] %}
  {% for column in columns %}
    {% do fields.append('`' ~ column['name'] ~ '`: ' ~ column['decoder']['literal']) %}
  {% endfor %}
  {% set source = [] %}
  {% for name in ['ts_ms', 'ts_us', 'ts_ns', 'snapshot'] + afterimage.connector(contract)['source_fields'] %}{% do source.append('`' ~ name ~ '`: string') %}{% endfor %}
  {% set image = 'struct<' ~ fields | join(', ') ~ '>' %}
  {% set envelope = 'op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, '
    ~ 'source: struct<' ~ source | join(', ') ~ '>, '
    ~ 'before: ' ~ image ~ ', after: ' ~ image %}
  {{ return('documents array<struct<' ~ envelope ~ ', payload: struct<' ~ envelope ~ '>>>, corrupt string') }}
{% endmacro %}


{#
  CTEs `parsed` and `envelope`: each new record parsed once.
  The record is wrapped in an array of its own before parsing: text after the document then breaks the JSON instead of being passed
  over, and a second document is a second element. `explode(array(…))` keeps Spark from parsing again for every column that is used.
#}
{% macro debezium_json(contract, columns) -%}
parsed as (
    select
        new_records.*,
        {{ afterimage.is_plain(contract['columns']) }} as is_plain,
        struct(get(parsed_value.documents, 0) as document, size(parsed_value.documents) = 1 as is_one, parsed_value.corrupt as corrupt) as record
    from new_records
        lateral view explode(array(from_json(
            concat('{"documents":[', record_value, ']}'),
            {{ afterimage.literal(afterimage.debezium_json_type(contract, columns)) }},
            map('columnNameOfCorruptRecord', 'corrupt', 'allowNonNumericNumbers', 'true')
        ))) as parsed_value
),

envelope as (
    -- with a schema block everything is one level down, in payload
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        record_key,
        record_value,
        coalesce(record.is_one, false) and record.document is not null as is_object,
        record.corrupt is not null as is_corrupt,
        record.document.payload.op is not null as has_schema,
        coalesce(record.document.payload.op, record.document.op) as op,
        coalesce(record.document.payload.source, record.document.source) as source,
        coalesce(record.document.payload.transaction, record.document.transaction) as transaction,
        coalesce(
            try_cast(coalesce(record.document.payload.ts_us, record.document.ts_us) as bigint),
            try_multiply(try_cast(coalesce(record.document.payload.ts_ms, record.document.ts_ms) as bigint), 1000)
        ) as processed_us,
        coalesce(record.document.payload.before, record.document.before) as before,
        coalesce(record.document.payload.after, record.document.after) as after,
        is_plain,
        -- of no use where all is as expected
        case when not is_plain or record.corrupt is not null then {{ afterimage._image_text() }} end as image_text
    from parsed
),
{%- endmacro %}
