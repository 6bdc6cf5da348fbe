{#
  Format unwrapped of documents: what ExtractNewDocumentState takes out of MongoDB's envelopes, JSON whose values have no types. In: contract.
  Out: as document_envelope.

  A record is a document where the contract's capture_mode says so; under change_streams an update is only what was changed, and its fields are
  taken as such. What else the envelope told is there where it was added (add_fields, add_headers; see unwrapped):
    op                                    without it a document is one that was written (x); under change_streams it must be there
    updateDescription.removedFields       else a removed field is none that a document lacks, or null, as the connector writes it
  `_id` is the record's own or, where a delete lacks it, in the record's key.
  Source: Debezium documentation, "New document state extraction", and what Debezium 2.3 writes.
#}
{% macro document_rows(contract) -%}
{% set id_alone = [{'name': '_id', 'field': '_id', 'sql': '_id', 'is_key': true, 'decoder': {'literal': 'string', 'type': 'string', 'value': '{raw}'}}] -%}
{% set names = [] -%}
{% for field in afterimage.added_fields(contract) %}{% do names.append(afterimage.literal(field['field'])) %}{% endfor -%}
{% set is_partial = contract['capture_mode'] == 'change_streams' -%}
{% set removed = [] -%}
{% for field in afterimage.added_fields(contract) if field['path'] == 'updateDescription.removedFields' %}{% do removed.append(afterimage.literal(field['field'])) %}{% endfor -%}
{{ afterimage.unwrapped(dict(contract, columns=id_alone), id_alone, 'rows_taken_out') }}

row_terms as (
    select
        *,
        {{ afterimage.document_terms("if(is_tombstone or row_text = 'null', null, row_text)") }} as terms,
        {{ afterimage.doubles_wrapped(afterimage._id_of_key()) }} as key_value
    from rows_taken_out
),

row_parts as (
    select
        * except (fault),
        -- what a delete left, or an update changed, may lack `_id`, and a flat document one that is a document: it is in the key
        case when op <> 'd'{{ " and op <> 'u'" if is_partial }}{{ " and key_value not like '{%'" if contract['flatten_struct_delimiter'] }} then fault end as fault,
        from_json(terms, 'map<string, variant>') as fields_told,
        -- the transformation leaves the texts of keys alone in some versions
        if(startswith(key_value, '"{'), {{ afterimage._id_told_as_text() }}, key_value) as key_text
    from row_terms
),

documents_read as (
    select
        *,
        {{ afterimage.document_text("concat('{\"_id\":', key_text, '}')") }} as key_document,
        if(fields_told is null, null, {{ afterimage.document_text('to_json(' ~ afterimage._without_fields('fields_told', names) ~ ')') }}) as row_document,
        {% if removed -%}
        coalesce(to_json(fields_told[{{ removed[0] }}]), '[]')
        {%- else -%}
        '[]'
        {%- endif %} as removed_fields
    from row_parts
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
        {{ 'unreadable,\n        writer_schema,\n        ' if contract['avro_schemas'] }}is_tombstone,
        is_object,
        is_corrupt,
        has_schema,
        repeats_key,
        fault,
        op,
        source,
        transaction,
        processed_us,
        key_text,
        key_document,
        {{ afterimage._update_of_row() if is_partial else 'cast(null as string)' }} as update_document,
        case
            when op = 'd' then coalesce(key_document, row_document)
            {%- if is_partial %}
            when op = 'u' then {{ afterimage.updated_document("coalesce(key_document, '{}')", afterimage._update_of_row(), contract) }}
            {%- endif %}
            else row_document
        end as document,
        op <> {{ "'d' and op <> 'u'" if is_partial else "'d'" }} as is_whole,
        {{ "op in ('u', 'x')" if 'update_full' in contract['capture_mode'] else 'false' }} as is_approximate,
        {{ afterimage.paths_told(afterimage._update_of_row()) if is_partial else 'cast(array() as array<string>)' }} as told_paths,
        cast(null as string) as document_fault,
        row_document as sent_document
    from documents_read
),
{%- endmacro %}


{# A map of fields without some. In: SQL of the map, list of SQL texts. Out: SQL. #}
{% macro _without_fields(fields, names) %}
  {{ return("map_filter(" ~ fields ~ ", (k, v) -> k not in (" ~ names | join(', ') ~ "))" if names else fields) }}
{% endmacro %}


{# What an update without its document changed, in a step that has row_document and removed_fields, as document_update has it. Out: SQL text. #}
{% macro _update_of_row() %}
  {% set changed = "to_json(map_filter(from_json(row_document, 'map<string, variant>'), (k, v) -> k <> '_id'))" %}
  {{ return("case when op = 'u' and row_document is not null then concat('{\"removedFields\":', removed_fields, ',\"truncatedArrays\":[],\"updatedFields\":', " ~ changed ~ ", '}') end") }}
{% endmacro %}


{# What the key says `_id` is, as JSON text; of a document in the order it has there, for in another order it is another one. Out: SQL text. #}
{% macro _id_of_key() %}
  {% set value = "to_json(try_variant_get(try_parse_json(k), '$.id', 'variant'))" %}
  {{ return("get(transform(array(" ~ afterimage._without_schema('record_key') ~ "), k -> get(transform(array(" ~ value ~ "), v -> if(startswith(v, '{'), get_json_object(k, '$.id'), v)), 0)), 0)") }}
{% endmacro %}


{# An id whose text in the key is Extended JSON still, {"id":"{\"$oid\": …}"}, as the transformation writes it elsewhere: its digits. Out: SQL text. #}
{% macro _id_told_as_text() %}
  {% set text = "try_variant_get(try_parse_json(key_value), '$', 'string')" %}
  {{ return("coalesce(to_json(try_variant_get(try_parse_json(" ~ text ~ "), '$[\"$oid\"]', 'variant')), key_value)") }}
{% endmacro %}
