{#
  Format debezium_json: Debezium's envelope, with or without the schema block, in any mix.

  In:  contract; columns (contract_columns).
  Out: CTEs `parsed` and `envelope`, one row per record. Every format returns in `envelope`:
    topic, partition, offset, timestamp, headers, record_key, record_value   as in new_records
    unreadable     why its bytes cannot be read, for a contract with avro_schemas only (see avro_records)
    writer_schema  the id of the schema the row was written with, for such a contract; NULL for text
    is_tombstone   the record says nothing about a row: it has no value, or is the text null
    is_object      it was exactly one JSON object of this format's kind
    is_corrupt     one of its literals was not of the type it is read as
    has_schema     it came with the schema block
    repeats_key    a relevant key is duplicate in it
    fault          why this format does not write it, else NULL
    op             c, u, d, r, t, m as Debezium has them; x, a row that was written, not known whether inserted (then `after` is there)
    source         struct of texts: source_names(contract)
    transaction    struct<id, total_order>, texts
    processed_us   when Debezium processed the change, microseconds since 1970
    before, after  images of the row: row_image_type(columns); for documents their texts instead (see document_texts)
    image_text     text of the row's image
  Source: Debezium documentation, "change events" of each connector. Scalars are read as text because some versions of the connectors
  quote them; the row images are typed, so a literal of the wrong kind is found.
#}
{% macro debezium_json(contract, columns) -%}
{{ afterimage.parsed_document(afterimage._debezium_json_type(contract, afterimage.images_type(contract, columns)), 'record_value', afterimage.records_read(contract), columns) }}

envelope as (
    -- with a schema block everything is one level down, in payload
    select
        {{ afterimage.landed_and_parsed(contract) }}
        record.document.payload.op is not null as has_schema,
        {{ afterimage._repeated_envelope_key(not contract['key']) }} as repeats_key,
        cast(null as string) as fault,
        coalesce(record.document.payload.op, record.document.op) as op,
        coalesce(record.document.payload.source, record.document.source) as source,
        coalesce(record.document.payload.transaction, record.document.transaction) as transaction,
        coalesce(
            try_cast(coalesce(record.document.payload.ts_us, record.document.ts_us) as bigint),
            try_multiply(try_cast(coalesce(record.document.payload.ts_ms, record.document.ts_ms) as bigint), 1000)
        ) as processed_us,
        {{ afterimage.envelope_images(contract, 'record.document') }}
    from parsed
),
{%- endmacro %}


{# SQL type of the envelope as from_json reads it. In: contract; images, fields of the struct that holds them. #}
{% macro _debezium_json_type(contract, images) %}
  {% set source = [] %}
  {% for name in afterimage.source_names(contract) %}{% do source.append('`' ~ name ~ '`: string') %}{% endfor %}
  {% set envelope = 'op: string, ts_ms: string, ts_us: string, transaction: struct<id: string, total_order: string>, '
    ~ 'source: struct<' ~ source | join(', ') ~ '>, ' ~ images %}
  {{ return('struct<' ~ envelope ~ ', payload: struct<' ~ envelope ~ '>>') }}
{% endmacro %}


{#
  True (SQL) when a relevant key is duplicate in the envelope: JSON readers differ in which one they take. Counted exactly only where
  the text has it twice at all; within strings quotes are escaped, but a row may have a column of such a name.
  In: before_decides, whether the row before an update is checked too: it identifies the row of a table without a key.
#}
{% macro _repeated_envelope_key(before_decides) %}
  {% set seen_twice = [] %}
  {% for key in ['op', 'before', 'after', 'source'] %}
    {% set mark = "'\"" ~ key ~ "\":'" %}
    {% do seen_twice.append("locate(" ~ mark ~ ", record_value, locate(" ~ mark ~ ", record_value) + 1) > locate(" ~ mark ~ ", record_value)") %}
  {% endfor %}
  {% set before = "coalesce(get_json_object(record_value, '$.before'), get_json_object(record_value, '$.payload.before'))" %}
  {{ return("(((" ~ seen_twice | join(') or (') ~ ")) and " ~ afterimage.any_key_twice(['record_value', "get_json_object(record_value, '$.payload')"]) ~ ")"
            ~ (" or " ~ afterimage.any_key_twice([before]) if before_decides else "")) }}
{% endmacro %}
