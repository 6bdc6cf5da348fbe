{#
  Format debezium_json of documents: Debezium's envelope of MongoDB, with or without the schema block. The images, and what an update changed,
  are JSON within texts.
  In:  contract.
  Out: CTEs `parsed`, `documents_told` and those of document_envelope.
  Source: Debezium documentation, MongoDB connector, "change events".
#}
{% macro document_json(contract) -%}
{{ afterimage.parsed_document(afterimage.debezium_json_type(contract, afterimage._document_images_type()), 'record_value', afterimage.records_read(contract)) }}

documents_told as (
    -- with a schema block everything is one level down, in payload
    select
        parsed.* except (record),
        coalesce(record.is_one, false) and record.document is not null as is_object,
        record.corrupt is not null as is_corrupt,
        record.document.payload.op is not null as has_schema,
        {{ afterimage.envelope_fields() }}
        {{ afterimage._document_texts('record.document') }}
    from parsed
),

{{ afterimage.document_envelope(contract, afterimage.repeated_envelope_key(false)) }}
{%- endmacro %}
