{#
  Format unwrapped for documents: the output of ExtractNewDocumentState from MongoDB's envelopes, JSON whose values have no types.
  In: contract; a step `envelope` (see unwrapped). Out: as document_envelope.

  A record is a document where the contract's capture_mode says so. Under change_streams an update is only its changes, and its fields are
  read as such. Under change_streams_with_pre_image it is the document before, and next to its fields the paths that were set ("address.city");
  the same holds where both were requested and a lookup found none.
  Other parts of the envelope are there where they were added (add_fields, add_headers; see unwrapped):
    op                                    without it a document is one that was written (x)
    updateDescription.removedFields,      what an update removed; without them a removed field is one that a document lacks, or null, as the
    updateDescription.truncatedArrays     connector writes it. They are required where no document is looked up
    updateDescription.updatedFields       shows that it was an update, not a replacement by another document
  Under change_streams all of these are required.
  `_id` is the record's own or, where a delete lacks it, in the record's key.
  Source: Debezium documentation, "New document state extraction", and what Debezium 2.3 writes.
#}
{% macro document_rows(contract) -%}
{% set names = afterimage.literals(afterimage.added_fields(contract) | map(attribute='field')) -%}
{% set row_fields = "map_filter(fields_sent, (k, v) -> k not in (" ~ names ~ "))" if names else 'fields_sent' -%}
{% set is_partial = contract['capture_mode'] == 'change_streams' -%}
{% set has_paths = contract['capture_mode'].endswith('_with_pre_image') -%}
{# a document that was looked up lacks what was removed, and may have it again -#}
{% set sent_by_update = {} -%}
{% for field in afterimage.added_fields(contract) if 'update_full' not in contract['capture_mode'] %}{% do sent_by_update.update({field['path']: afterimage.literal(field['field'])}) %}{% endfor -%}
row_terms as (
    select
        *,
        {{ afterimage.document_terms("if(is_tombstone or row_text = 'null', null, row_text)") }} as terms,
        {{ afterimage.doubles_wrapped(afterimage._id_of_key()) }} as key_value
    from envelope
),

row_parts as (
    select
        * except (fault),
        -- the document of a delete or an update may lack `_id`; the key has it, also where `_id` is a document
        case when op <> 'd'{{ " and op <> 'u'" if is_partial }}{{ " and not coalesce(startswith(key_value, '{'), false)" if contract['flatten_struct_delimiter'] }} then fault end as fault,
        from_json(terms, 'map<string, variant>') as fields_sent
    from row_terms
),

row_ids as (
    -- some versions of the transformation leave the keys of envelopes unchanged: the id is JSON within a text there
    select
        *,
        {{ afterimage._id_or_its_text(contract) }} as key_text
    from row_parts
),

documents_read as (
    select
        *,
        {{ afterimage.document_text("concat('{\"_id\":', key_text, '}')") }} as key_document,
        if(fields_sent is null, null, {{ afterimage.document_text('to_json(' ~ row_fields ~ ')') }}) as row_document,
        {{ afterimage._list_sent('removedFields', sent_by_update) }} as removed_fields,
        {{ afterimage._list_sent('truncatedArrays', sent_by_update) }} as truncated_arrays
        {%- if is_partial %},
        op = 'u' and nullif(to_json(fields_sent[{{ sent_by_update['updateDescription.updatedFields'] }}]), 'null') is not null as is_update
        {%- elif has_paths %},
        op in ('u', 'x') as is_update
        {%- endif %}
    from row_ids
),
{%- if has_paths %}

paths_set_apart as (
    -- a path sits next to the field it begins with; a name that contains points does not
    select
        * except (row_document),
        {% set is_path = "instr(k, '.') > 0 and map_contains_key(fields, split_part(k, '.', 1))" -%}
        {% set all_fields = "from_json(row_document, 'map<string, variant>')" -%}
        get(transform(array({{ all_fields }}), fields -> to_json(map_filter(fields, (k, v) -> not ({{ is_path }})))), 0) as row_document,
        if(
            is_update,
            get(transform(array({{ all_fields }}), fields -> to_json(map_filter(fields, (k, v) -> {{ is_path }}))), 0),
            '{}'
        ) as paths_set
    from documents_read
),
{%- endif %}

documents as (
    select
        * except (before, after, image_text),
        {{ afterimage._update_of_row() if is_partial else 'cast(null as string)' }} as update_document,
        case
            when op = 'd' then coalesce(key_document, row_document)
            {%- if is_partial %}
            when is_update then {{ afterimage.updated_document("coalesce(key_document, '{}')", afterimage._update_of_row(), contract) }}
            {%- endif %}
            {%- if has_paths %}
            when is_update and row_document is not null then {{ afterimage.updated_document('row_document', afterimage._update_of_row('paths_set'), contract) }}
            {%- endif %}
            else row_document
        end as document,
        op <> 'd'{{ ' and not is_update' if is_partial }} as is_whole,
        {{ "op in ('u', 'x')" if 'update_full' in contract['capture_mode'] else 'false' }} as is_approximate,
        {{ afterimage.paths_sent(afterimage._update_of_row()) if is_partial else 'cast(array() as array<string>)' }} as sent_paths,
        cast(null as string) as document_fault,
        row_document as sent_document
    from {{ 'paths_set_apart' if has_paths else 'documents_read' }}
),
{%- endmacro %}


{#
  The changes of an update, in a step that has is_update, removed_fields and truncated_arrays, in the form of document_update. In: SQL of what was
  set, an object; by default that of the row. Out: SQL text, NULL where it is no update.
#}
{% macro _update_of_row(changed=none) %}
  {% set of_row = "to_json(map_filter(from_json(row_document, 'map<string, variant>'), (k, v) -> k <> '_id'))" %}
  {{ return("case when is_update and row_document is not null then concat('{\"removedFields\":', removed_fields, ',\"truncatedArrays\":', truncated_arrays, ',\"updatedFields\":', "
            ~ (changed or of_row) ~ ", '}') end") }}
{% endmacro %}


{# A list of updateDescription that was added to the row, as JSON (SQL). In: its name; dict path -> SQL literal of its field. #}
{% macro _list_sent(name, sent_by_update) %}
  {% set field = sent_by_update.get('updateDescription.' ~ name) %}
  {{ return("coalesce(nullif(to_json(fields_sent[" ~ field ~ "]), 'null'), '[]')" if field else "'[]'") }}
{% endmacro %}


{# The `_id` in the key, as JSON text; a document keeps its order there, because in another order it is another id. Out: SQL text. #}
{% macro _id_of_key() %}
  {% set value = "to_json(try_variant_get(try_parse_json(k), '$.id', 'variant'))" %}
  {{ return("get(transform(array(" ~ afterimage.without_schema('record_key') ~ "), k -> get(transform(array(" ~ value ~ "), v -> if(startswith(v, '{'), get_json_object(k, '$.id'), v)), 0)), 0)") }}
{% endmacro %}


{#
  The id in the key, or, where it is a text with the JSON of the document's own id, the id in that text: {"id":"1"} for {"_id":1}, and the digits of
  {"id":"{\"$oid\":…}"}. If the document has no `_id`, its declared type says which it is. Out: SQL text.
#}
{% macro _id_or_its_text(contract) %}
  {% set text = "try_variant_get(try_parse_json(key_value), '$', 'string')" %}
  {% set digits = "to_json(try_variant_get(try_parse_json(t), '$[\"$oid\"]', 'variant'))" %}
  {% set ids = "coalesce(" ~ digits ~ ", if(try_parse_json(t) is null, null, " ~ afterimage.doubles_wrapped('t') ~ "))" %}
  {% set own, of_sent = afterimage.bare_numbers("to_json(fields_sent['_id'])"), afterimage.bare_numbers('to_json(try_parse_json(i))') %}
  {% set declared = contract['columns'] | selectattr('field', 'equalto', '_id') | map(attribute='source_type') | first %}
  {% set is_of_type = {'string': "startswith(i, '\"')", 'bool': "i in ('true', 'false')"} %}
  {% for name in ['int', 'long', 'double', 'decimal'] %}{% do is_of_type.update({name: "i rlike '^(-?[0-9]|[{]\"[$]number)'"}) %}{% endfor %}
  {% set by_type = is_of_type.get((afterimage.parsed_type(declared, contract) or {}).get('name'), "startswith(t, '{\"$oid')") %}
  {% set is_it = "if(fields_sent['_id'] is null, " ~ by_type ~ ", " ~ of_sent ~ " = " ~ own ~ ")" %}
  {{ return("if(startswith(key_value, '\"'), get(transform(array(" ~ text ~ "), t -> get(transform(array(" ~ ids ~ "), i -> if(" ~ is_it ~ ", i, key_value)), 0)), 0), key_value)") }}
{% endmacro %}
