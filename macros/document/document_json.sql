{#
  Format debezium_json of documents: Debezium's envelope of MongoDB, with or without the schema block. The images, and what an update changed,
  are JSON within texts.
  In:  contract.
  Out: CTEs `parsed`, `documents_told` and those of document_envelope.
  Source: Debezium documentation, MongoDB connector, "change events".
#}
{% macro document_json(contract) -%}
{{ afterimage.parsed_document(afterimage._document_type(contract), 'record_value', afterimage.records_read(contract)) }}

documents_told as (
    -- with a schema block everything is one level down, in payload
    select
        parsed.* except (record),
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
        {{ afterimage._document_texts('record.document') }}
    from parsed
),

{{ afterimage.document_envelope(contract, afterimage._repeated_envelope_key(false)) }}
{%- endmacro %}


{# SQL type of the envelope as from_json reads it. #}
{% macro _document_type(contract) %}
  {% set source = [] %}
  {% for name in afterimage.source_names(contract) %}{% do source.append('`' ~ name ~ '`: string') %}{% endfor %}
  {% set envelope = 'op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, '
    ~ 'source: struct<' ~ source | join(', ') ~ '>, ' ~ afterimage._document_images_type() %}
  {{ return('struct<' ~ envelope ~ ', payload: struct<' ~ envelope ~ '>>') }}
{% endmacro %}
