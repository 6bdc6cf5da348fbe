{#
  Format cloudevents of documents: Debezium's CloudEvents converter behind the MongoDB connector. The images, and what an update changed, are in
  `data`; all else is as in cloudevents.

  Without the extension attributes what `data` holds tells the operation: a description an update, no document at all a delete (it tells
  no document, and nothing is truncated), a document alone one that was written (x): inserted, put in the place of another, or read.
  In:  contract.
  Out: CTEs `parsed`, `documents_told` and those of document_envelope.
  Source: Debezium documentation, "CloudEvents converter", and what its parser of MongoDB's records takes over.
#}
{% macro document_cloudevents(contract) -%}
{{ afterimage.parsed_document(afterimage.cloudevents_type(contract, afterimage._document_images_type()), 'record_value', afterimage.records_read(contract)) }}

documents_told as (
    -- with a schema block the images are one level down, in payload
    select
        parsed.* except (record),
        coalesce(record.is_one, false) and record.document is not null as is_object,
        record.corrupt is not null as is_corrupt,
        record.document.data.payload is not null as has_schema,
        case
            when record.document.specversion is null then null
            when record.document.iodebeziumop is not null then {{ afterimage.told_op('record.document.iodebeziumop') }}
            -- data that has no such field is none of documents, and no delete
            when not coalesce(array_contains({{ afterimage._data_fields() }}, 'after'), false) then null
            when coalesce(record.document.data.payload.updateDescription, record.document.data.updateDescription) is not null then 'u'
            when coalesce(record.document.data.payload.after, record.document.data.after) is null then 'd'
            when coalesce(record.document.data.payload.before, record.document.data.before) is not null then 'u'
            else 'x'
        end as op,
        {{ afterimage.cloudevents_attributes(contract) }},
        cast(null as bigint) as processed_us,
        {{ afterimage._document_texts('record.document.data') }}
    from parsed
),

{{ afterimage.document_envelope(contract, afterimage._repeated_event_key()) }}
{%- endmacro %}


{# Names of the fields of a CloudEvent's data (SQL, array of texts), NULL where it is no object. #}
{% macro _data_fields() %}
  {{ return("coalesce(json_object_keys(get_json_object(record_value, '$.data.payload')), json_object_keys(get_json_object(record_value, '$.data')))") }}
{% endmacro %}


{# True (SQL) when a key stands twice in an event or in its data. #}
{% macro _repeated_event_key() %}
  {% set texts = [] %}
  {% for path in ['$', '$.data', '$.data.payload'] %}{% do texts.append("get_json_object(record_value, '" ~ path ~ "')") %}{% endfor %}
  {{ return(afterimage.any_key_twice(texts)) }}
{% endmacro %}
