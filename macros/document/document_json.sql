{#
  Format debezium_json of documents: Debezium's envelope of MongoDB, with or without the schema block. The images, and what an update changed,
  are JSON within texts.

  In:  contract; columns (contract_columns).
  Out: CTEs `parsed`, `documents_told` and `envelope`; of this what debezium_json gives but before, after and image_text, and
    key_text         what the record's key says `_id` is, in the spelling of document_terms
    key_document     the same as a document of `_id` alone
    before_document, after_document, update_document   see document_text, document_update
    document         of a delete the document before it, of all else the one after it: what an update changed made on the document before, where
                     that was sent; else the one sent; else what is told of it, which is its `_id` and what was changed
    is_whole         whether a document was sent: then that is all of it
    is_approximate   it was looked up after the change (capture modes change_streams_update_full…)
    told_paths       the paths an update tells of
    document_fault   what in its texts is not what it says, else NULL
  Source: Debezium documentation, MongoDB connector, "change events".
#}
{% macro document_json(contract, columns) -%}
{{ afterimage.parsed_document(afterimage._document_type(contract), 'record_value', 'false', afterimage.records_read(contract)) }}

documents_told as (
    -- with a schema block everything is one level down, in payload
    select
        parsed.* except (record, is_plain),
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
        {{ afterimage.document_terms("get_json_object(" ~ afterimage._without_schema('record_key') ~ ", '$.id')") }} as key_text,
        {{ afterimage.document_terms('coalesce(record.document.payload.before, record.document.before)') }} as before_terms,
        {{ afterimage.document_terms('coalesce(record.document.payload.after, record.document.after)') }} as after_terms,
        {{ afterimage.document_terms(afterimage._update_told('coalesce(record.document.payload.updateDescription, record.document.updateDescription)')) }} as update_terms
    from parsed
),

documents_read as (
    select
        *,
        {{ afterimage.document_text("concat('{\"_id\":', key_text, '}')") }} as key_document,
        {{ afterimage.document_text('before_terms') }} as before_document,
        {{ afterimage.document_text('after_terms') }} as after_document,
        {{ afterimage.document_text('update_terms') }} as update_document
    from documents_told
),

envelope as (
    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        record_key,
        record_value,
        {{ afterimage.unreadable(contract) }}record_value is null as is_tombstone,
        is_object,
        is_corrupt,
        has_schema,
        {{ afterimage._repeated_envelope_key(false) }} as repeats_key,
        cast(null as string) as fault,
        op,
        source,
        transaction,
        processed_us,
        key_text,
        key_document,
        update_document,
        case
            when op = 'd' then coalesce(before_document, key_document)
            when op = 'u' and update_document is not null and before_document is not null then {{ afterimage.updated_document('before_document', 'update_document') }}
            when after_document is not null then after_document
            when op = 'u' and update_document is not null then {{ afterimage.updated_document("coalesce(key_document, '{}')", 'update_document') }}
        end as document,
        after_document is not null or before_document is not null as is_whole,
        op = 'u' and update_document is not null and before_document is null and after_document is not null as is_approximate,
        {{ afterimage.paths_told('update_document') }} as told_paths,
        {{ afterimage._document_fault({'before': 'before', 'after': 'after', 'updateDescription': 'update'}, contract) }} as document_fault,
        coalesce(after_document, before_document) as sent_document
    from documents_read
),
{%- endmacro %}


{# SQL type of the envelope as from_json reads it. #}
{% macro _document_type(contract) %}
  {% set source = [] %}
  {% for name in afterimage.source_names(contract) %}{% do source.append('`' ~ name ~ '`: string') %}{% endfor %}
  {% set envelope = 'op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, '
    ~ 'source: struct<' ~ source | join(', ') ~ '>, before: string, after: string, updateDescription: struct<removedFields: array<string>, updatedFields: string, '
    ~ 'truncatedArrays: array<struct<field: string, size: int>>>' %}
  {{ return('struct<' ~ envelope ~ ', payload: struct<' ~ envelope ~ '>>') }}
{% endmacro %}


{#
  What an update changed as one JSON object, as `_cdc_update` has it: removedFields and truncatedArrays as they came, updatedFields as JSON.
  In: SQL of the struct. Out: SQL text, NULL when it is.
#}
{% macro _update_told(description) %}
  {{ return("if(" ~ description ~ " is null, null, concat('{\"removedFields\":', coalesce(to_json(" ~ description ~ ".removedFields), '[]'), ',\"truncatedArrays\":', coalesce(to_json("
            ~ description ~ ".truncatedArrays), '[]'), ',\"updatedFields\":', coalesce(nullif(trim(" ~ description ~ ".updatedFields), ''), '{}'), '}'))") }}
{% endmacro %}


{#
  Which text of a record is no document, or holds a value that its wrapper does not say (only its kind where a column is sensitive).
  In: {its name in the envelope: the beginning of its columns' names}; contract. Out: SQL text, NULL when all is well.
#}
{% macro _document_fault(texts, contract) %}
  {% set cases = [] %}
  {% for name, column in texts.items() %}
    {% do cases.append("if(" ~ column ~ "_terms is not null and " ~ column ~ "_document is null, '" ~ name ~ ": no single JSON object, or a key stands twice in it', null)") %}
    {% set lie = afterimage.wrapper_that_lies(column ~ '_terms') %}
    {% set shown = "regexp_replace(l, '(?s)^(.{2}[$A-Za-z]*).*', '$1…')" if contract['sensitive'] else 'l' %}
    {% do cases.append("get(transform(array(" ~ lie ~ "), l -> if(l = '', null, concat('" ~ name ~ ": ', " ~ shown ~ ", ' is no value of its kind'))), 0)") %}
  {% endfor %}
  {{ return("nullif(concat_ws('; ', " ~ cases | join(', ') ~ "), '')") }}
{% endmacro %}
