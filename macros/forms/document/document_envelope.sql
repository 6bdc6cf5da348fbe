{#
  CTE `documents`: the documents of an envelope, one row per record.

  In:  contract; a step `envelope` (see debezium_json) that has document_texts.
  Out: its columns, and
    key_document     the `_id` in the record's key, as a document of only `_id`
    before_document, after_document, update_document   see document_text, document_update
    document         for a delete the document before it, for all else the one after it: the update applied to the document before, where
                     that was sent; else the one sent; else what is known of it, which is its `_id` and the changed fields
    is_whole         whether a full document was sent
    is_approximate   it was looked up after the change (capture modes change_streams_update_full…)
    sent_paths       the paths an update changes
    document_fault   what in its texts is invalid, else NULL
#}
{% macro document_envelope(contract) -%}
documents_read as (
    select
        *,
        {{ afterimage.document_text("concat('{\"_id\":', key_text, '}')") }} as key_document,
        {{ afterimage.document_text('before_terms') }} as before_document,
        {{ afterimage.document_text('after_terms') }} as after_document,
        {{ afterimage.document_text('update_terms') }} as update_document
    from envelope
),

documents as (
    select
        *,
        case
            when op = 'd' then coalesce(before_document, key_document)
            when op = 'u' and update_document is not null and before_document is not null then {{ afterimage.updated_document('before_document', 'update_document', contract) }}
            when after_document is not null then after_document
            when op = 'u' and update_document is not null then {{ afterimage.updated_document("coalesce(key_document, '{}')", 'update_document', contract) }}
        end as document,
        after_document is not null or before_document is not null as is_whole,
        op = 'u' and update_document is not null and before_document is null and after_document is not null as is_approximate,
        {{ afterimage.paths_sent('update_document') }} as sent_paths,
        {{ afterimage._document_fault(contract) }} as document_fault,
        coalesce(after_document, before_document) as sent_document
    from documents_read
),
{%- endmacro %}


{#
  The texts of a record in one spelling (see document_terms), four columns (SQL): key_text, the `_id` in its key, before_terms, after_terms,
  update_terms. In: SQL of the struct that holds the images, or has them in `payload`.
#}
{% macro document_texts(images) -%}
  {% set parts = {} -%}
  {% for name in ['before', 'after', 'updateDescription', 'patch'] %}{% do parts.update({name: 'coalesce(' ~ images ~ '.payload.' ~ name ~ ', ' ~ images ~ '.' ~ name ~ ')'}) %}{% endfor -%}
        {{ afterimage.document_terms("get_json_object(" ~ afterimage.without_schema('record_key') ~ ", '$.id')") }} as key_text,
        {{ afterimage.document_terms(parts['before']) }} as before_terms,
        {{ afterimage.document_terms('coalesce(' ~ parts['after'] ~ ', ' ~ afterimage._document_of_patch(parts['patch']) ~ ')') }} as after_terms,
        {{ afterimage.document_terms('coalesce(' ~ afterimage._update_sent(parts['updateDescription']) ~ ', ' ~ afterimage._update_of_patch(parts['patch']) ~ ')') }} as update_terms
{%- endmacro %}


{#
  The document in an update from a connector of 1.x that read the oplog: `patch` is a document that replaced the other, or
  {"$set":…,"$unset":…} in the terms of updateDescription. An oplog's differences ({"$v":2,"diff":…}) are not read, and the record is refused.
  In: SQL of it. Out: SQL text, the full document, NULL where it is none.
#}
{% macro _document_of_patch(patch) %}
  {{ return("if(exists(json_object_keys(" ~ patch ~ "), k -> startswith(k, '$')), null, " ~ patch ~ ")") }}
{% endmacro %}


{# The update in such a patch, in the form of _update_sent; NULL where it is a document. #}
{% macro _update_of_patch(patch) %}
  {% set set, unset = "get_json_object(" ~ patch ~ ", \"$['$set']\")", "get_json_object(" ~ patch ~ ", \"$['$unset']\")" %}
  {{ return("if(coalesce(" ~ set ~ ", " ~ unset ~ ") is null, null, concat('{\"removedFields\":', coalesce(to_json(json_object_keys(" ~ unset
            ~ ")), '[]'), ',\"truncatedArrays\":[],\"updatedFields\":', coalesce(" ~ set ~ ", '{}'), '}'))") }}
{% endmacro %}


{# Fields of the struct that holds the images, as from_json reads them. #}
{% macro document_images_type() %}
  {{ return('before: string, after: string, patch: string, updateDescription: struct<removedFields: array<string>, updatedFields: string, truncatedArrays: array<struct<field: string, size: int>>>') }}
{% endmacro %}


{#
  The changes of an update as one JSON object, in the form of `_cdc_update`: removedFields and truncatedArrays unchanged, updatedFields as JSON.
  In: SQL of the struct. Out: SQL text, NULL when it is.
#}
{% macro _update_sent(description) %}
  {{ return("if(" ~ description ~ " is null, null, concat('{\"removedFields\":', coalesce(to_json(" ~ description ~ ".removedFields), '[]'), ',\"truncatedArrays\":', coalesce(to_json("
            ~ description ~ ".truncatedArrays), '[]'), ',\"updatedFields\":', coalesce(nullif(trim(" ~ description ~ ".updatedFields), ''), '{}'), '}'))") }}
{% endmacro %}


{#
  The text of a record that is no document, or has a value that does not match its wrapper (only its kind where a column is sensitive).
  In: contract. Out: SQL text, NULL when there is none.
#}
{% macro _document_fault(contract) %}
  {% set cases = [] %}
  {% for name, column in [('before', 'before'), ('after', 'after'), ('updateDescription', 'update')] %}
    {% do cases.append("if(" ~ column ~ "_terms is not null and " ~ column ~ "_document is null, '" ~ name ~ ": no single JSON object, or a key stands twice in it', null)") %}
    {% set lie = afterimage.invalid_wrapper(column ~ '_terms') %}
    {% set shown = "regexp_replace(l, '(?s)^(.{2}[$A-Za-z]*).*', '$1…')" if contract['sensitive'] else 'l' %}
    {% do cases.append("get(transform(array(" ~ lie ~ "), l -> if(l = '', null, concat('" ~ name ~ ": ', " ~ shown ~ ", ' is no value of its kind'))), 0)") %}
  {% endfor %}
  {{ return("nullif(concat_ws('; ', " ~ cases | join(', ') ~ "), '')") }}
{% endmacro %}
