{#
  Format unwrapped: rows that the transformation ExtractNewRecordState has taken out of their envelopes, with or without the schema block.
  In, Out: as debezium_json; and row_text.

  Other parts of the envelope are there only where the contract says that they were added (add_fields, add_headers):
    op       else a row is x (see written_row_op), and a record without a row is d
    place    else the landing coordinate (see unwrapped_connector), which orders the changes of a key while they stay in one partition
    time     source.ts_us or source.ts_ms, else ts_ms, else the record's own timestamp
  A delete is, by delete_tombstone_handling_mode of the transformation,
    tombstone                 a record without value: none at all, the text null, or a schema block with a null payload; its key names the row
    delete-to-tombstone       the same
    rewrite                   the row with "__deleted": "true"; its columns are those of the row before, of which only the key is trusted
    rewrite-with-tombstone    the same, followed by a tombstone without further meaning
    drop                      not there at all
  The transformation always drops truncates.
  For documents see also document_rows.
  Source: Debezium documentation, "New record state extraction"; captures pg-unwrap, pg-unwrap-tombstone.
#}
{% macro unwrapped(contract, columns) -%}
{% if afterimage.is_document(contract) -%}
  {# the only required field of a document; the rest is in row_text -#}
  {% set columns = [{'name': '_id', 'field': '_id', 'sql': '_id', 'is_key': true, 'decoder': {'literal': 'string', 'type': 'string', 'value': '{raw}'}}] -%}
  {% set contract = dict(contract, columns=columns) -%}
{% endif -%}
{% set added = afterimage.added_fields(contract) -%}
{% set names = [] -%}
{% for column in contract['columns'] %}{% do names.extend(afterimage.names_in_events(column)) %}{% endfor -%}
{# without a schema the payload is next to a null one, and Apicurio's JSON converter writes only the id of the schema; but a table may have two
   such columns -#}
{% set block = '\\{\\s*"(?:type"\\s*:\\s*"struct"|(?:fields|name|optional|version|doc|parameters)"\\s*:)' -%}
{% set has_columns_of_that_name = 'payload' in names and ('schema' in names or 'schemaId' in names) -%}
{% set no_schema = '' if 'schema' in names and 'payload' in names else '|null\\s*,\\s*"payload"\\s*:' -%}
{% set schema_id = '' if 'schemaId' in names and 'payload' in names else '|"schemaId"\\s*:\\s*[0-9]+\\s*,\\s*"payload"\\s*:' -%}
{% set schema_form = '\\A\\s*\\{\\s*(?:"schema"\\s*:\\s*(?:' ~ block ~ no_schema ~ ')' ~ schema_id ~ ')' -%}
{% set payload_form = '(?s)"payload"\\s*:\\s*(.*\\S)\\s*\\}\\s*\\z' -%}
{% set block_behind = '"schema"\\s*:\\s*' ~ block ~ '.*\\}' ~ ('' if has_columns_of_that_name else '|"schema"\\s*:\\s*null|"schemaId"\\s*:\\s*[0-9]+') -%}
{% set payload_first_form = '(?s)\\A\\s*\\{\\s*"payload"\\s*:\\s*(\\{.*\\}|null)\\s*,\\s*(?:' ~ block_behind ~ ')\\s*\\}\\s*\\z' -%}
{% set is_rewritten = contract['delete_tombstone_handling_mode'].startswith('rewrite') -%}
rows_sent as (
    -- with a schema block the row is the content of payload, cut out as text: the block itself has no such key
    select
        * except (payload_first),
        case
            when payload_first is not null then payload_first
            when has_schema then regexp_extract(record_value, {{ afterimage.literal(payload_form) }}, 1)
            else trim(record_value)
        end as row_text
    from (
        select
            *,
            nullif(regexp_extract(record_value, {{ afterimage.literal(payload_first_form) }}, 1), '') as payload_first,
            coalesce(record_value rlike {{ afterimage.literal(schema_form) }}, false) or payload_first is not null as has_schema
        from {{ afterimage.records_read(contract) }}
    ) as looked_at
),

{{ afterimage.parsed_document(afterimage.row_image_type(columns, added), 'row_text', 'rows_sent', columns, added) }}

envelope as (
    select
        {{ afterimage.landed_columns(contract) }}{{ "row_text is null or row_text = 'null'" if is_rewritten else 'false' }} as is_tombstone,
        row_text is null or row_text = 'null' or (coalesce(record.is_one, false) and record.document is not null) as is_object,
        record.corrupt is not null as is_corrupt,
        has_schema,
        {{ afterimage.any_key_twice(['row_text']) }} as repeats_key,
        case when record.document is not null then {{ afterimage._no_row(names, is_rewritten) }} end as fault,
        case
            when {{ "record.document.`__deleted` = 'true'" if is_rewritten else 'record.document is null' }} then 'd'
            else {{ afterimage.op_of_row(contract, 'record.document') }}
        end as op,
        {{ afterimage.added_of_envelope(contract, 'record.document') }},
        record.document as before,
        record.document as after,
        row_text as image_text,
        row_text
    from parsed
),
{%- endmacro %}


{#
  The reason why a JSON object is no row of the table, as text (SQL), NULL when it is one: it is another record of the connector; it has none of
  the table's columns; it is an envelope; or it is marked as deleted, under a mode that marks no row so.
#}
{% macro _no_row(names, is_rewritten) %}
  {% set faults = ["when " ~ afterimage.record_of_connector('row_text', names) ~ " is not null then 'no row, but a record of the connector'"] %}
  {% set fields = "json_object_keys(row_text)" %}
  {% if not ('op' in names and 'source' in names) %}
    {% do faults.append("when array_contains(" ~ fields ~ ", 'op') and array_contains(" ~ fields ~ ", 'source') and arrays_overlap(" ~ fields
                        ~ ", array('before', 'after')) then 'an envelope, where the contract says rows without (format unwrapped)'") %}
  {% endif %}
  {% if not is_rewritten and '__deleted' not in names %}
    {% do faults.append("when get_json_object(row_text, '$.__deleted') = 'true' then '__deleted is true: delete_tombstone_handling_mode is rewrite?'") %}
  {% endif %}
  {{ return("case " ~ faults | join(' ') ~ " when not arrays_overlap(" ~ fields ~ ", array(" ~ afterimage.literals(names)
            ~ ")) then concat('no column of the table is in it, but ', to_json(" ~ fields ~ ")) end") }}
{% endmacro %}


{# The operation of a row that is there (SQL): the added op, else that it was written. In: row (SQL), as in _added_text. #}
{% macro op_of_row(contract, row) %}
  {% set op_text = afterimage._added_text(['op'], contract, row) %}
  {% set is_sent = 'op' in (afterimage.added_fields(contract) + afterimage.added_headers(contract)) | map(attribute='path') %}
  {{ return('coalesce(' ~ afterimage.reported_op(op_text) ~ ', ' ~ afterimage.written_row_op() ~ ')' if is_sent else afterimage.written_row_op()) }}
{% endmacro %}


{#
  The first of some paths of the envelope that was added, as text (SQL); otherwise another one, NULL where there is none.
  In: row (SQL), a struct that has the added fields.
#}
{% macro _added_text(paths, contract, row, otherwise=none) %}
  {% set found = [] %}
  {% for path in paths %}
    {% for field in afterimage.added_fields(contract) if field['path'] == path %}
      {% do found.append(row ~ '.' ~ afterimage.identifier(field['field'])) %}
    {% endfor %}
    {% for header in afterimage.added_headers(contract) if header['path'] == path %}
      {% do found.append("trim('\"', " ~ afterimage.kafka_header(header['field']) ~ ")") %}
    {% endfor %}
  {% endfor %}
  {% if otherwise %}{% do found.append(otherwise) %}{% endif %}
  {{ return('coalesce(' ~ found | join(', ') ~ ')' if found | length > 1 else (found or ['cast(null as string)'])[0]) }}
{% endmacro %}


{# The added parts of the envelope, as three columns (SQL): source, transaction, processed_us. In: row (SQL), as in _added_text. #}
{% macro added_of_envelope(contract, row) -%}
{% set source = {} -%}
{% for name in afterimage.source_names(contract) %}{% do source.update({name: afterimage._source_text(name, contract, row)}) %}{% endfor -%}
{{ afterimage.source_structs(source, afterimage._added_text(['transaction.id'], contract, row), afterimage._added_text(['transaction.total_order'], contract, row)) }},
        coalesce(
            try_cast({{ afterimage._added_text(['ts_us'], contract, row) }} as bigint),
            try_multiply(try_cast({{ afterimage._added_text(['ts_ms'], contract, row) }} as bigint), 1000)
        ) as processed_us
{%- endmacro %}


{# A field of the envelope's source, as text (SQL). #}
{% macro _source_text(name, contract, row) %}
  {% set table = 'topic' if contract['key_within'] != 'physical_table' else none %}
  {% set otherwise = {'ts_ms': 'cast(unix_millis(timestamp) as string)', 'table': table}.get(name) %}
  {{ return(afterimage._added_text(['source.' ~ name] + (['ts_ms'] if name == 'ts_ms' else []), contract, row, otherwise)) }}
{% endmacro %}


{#
  The traits of a connector that differ where rows come without envelopes: there is no image of the row before, and where no position in the
  source's log was added, the offset is the position. It orders the records of one partition, and all changes of one key are in one.
  In: contract, connector as its macro returns it. Out: the traits to change.
#}
{% macro unwrapped_connector(contract, connector) %}
  {% set changed = {'before_is_whole': false, 'allows_key_collisions': false} %}
  {% if not afterimage.reports_position(contract, connector) %}
    {% do changed.update({'position': "lpad(cast(offset as string), 20, '0')", 'position_form': '[0-9]{20}',
                          'committed_after': none, 'position_identifies_row': false, 'place_is_offset': true}) %}
  {% endif %}
  {{ return(changed) }}
{% endmacro %}
