{#
  Format debezium_json, as the routine statement reads it.
  In:  contract; form (see expected_form).
  Out: CTE `parsed`, one row per record, as every form returns it:
    topic, partition, offset, timestamp, headers, record_key, record_value   as in new_records
    document      the text that is parsed: record_value, or its payload; NULL after a schema block that was not checked
    before, after, op, source, transaction, processed_us   as in debezium_json
    beginning     the beginning of the document, written again from the parsed values
    corrupt       not NULL where the document is not JSON, or has a literal of another type
#}
{% macro debezium_json_routine(contract, form) -%}
{{ afterimage.routine_document(contract, form) }}

parsed as (
    -- explode keeps Spark from parsing again for each column
    select
        documents.*,
        record.before,
        record.after,
        record.op,
        record.source,
        record.transaction,
        record.corrupt,
        coalesce(try_cast(record.ts_us as bigint), try_multiply(try_cast(record.ts_ms as bigint), 1000)) as processed_us,
        concat(
            '{"before":', coalesce(to_json(record.before, map('ignoreNullFields', 'false')), 'null'),
            ',"after":', coalesce(to_json(record.after, map('ignoreNullFields', 'false')), 'null'),
            ',"source":'
        ) as beginning
    from documents
        lateral view explode(array(from_json(
            document,
            {{ afterimage._routine_envelope_type(contract, form) }},
            map('columnNameOfCorruptRecord', 'corrupt', 'allowNonNumericNumbers', 'true')
        ))) as record
),
{%- endmacro %}


{# The type for from_json of an envelope: the images with all their fields, and the other fields that are needed. Out: SQL literal. #}
{% macro _routine_envelope_type(contract, form) %}
  {% set image, source = afterimage.routine_row_type(contract, form), [] %}
  {% for name in afterimage.source_names(contract) %}{% do source.append('        `' ~ name ~ '`: string') %}{% endfor %}
  {% set source = 'struct<\n' ~ source | join(',\n') ~ '\n    >' %}
  {% set parts = ['before: ' ~ image, 'after: ' ~ image, 'source: ' ~ source,
                  'transaction: struct<id: string, total_order: string>', 'op: string, ts_ms: string, ts_us: string, corrupt: string'] %}
  {{ return(afterimage.literal('struct<\n    ' ~ parts | join(',\n    ') ~ '\n>') | indent(12)) }}
{% endmacro %}


{#
  The regular expression of the text after `"source":` in an envelope: all possible keys, once each. The parser checks whether it is JSON;
  with that, a brace within a string cannot pass for the end of an object. Out: its parts, a list of text.
#}
{% macro debezium_json_routine_ending(contract) %}
  {% set transaction = ',"transaction":(?:null|\\{[^{}]*\\})' %}
  {% set op = ',"op":"[a-z]"(?:,"ts_ms":[^,{}]+)?+(?:,"ts_us":[^,{}]+)?+(?:,"ts_ns":[^,{}]+)?+' %}
  {{ return(['\\A\\{[^{}]*\\}(?:', transaction, op, '|', op, '(?:' ~ transaction ~ ')?+)\\}\\z']) }}
{% endmacro %}
