{#
  Format cloudevents: Debezium's CloudEvents converter, structured JSON with data in JSON, with or without the schema block in data and with or
  without the extension attributes. In, Out: as debezium_json.

  Operation, source and transaction are in attributes (iodebeziumop, iodebezium<field of source>, iodebeziumtx<field of transaction>), all of
  them texts. Without them (extension.attributes.enable=false) only the text of `id` has the position, and a row without a row before it
  is x: an insert, an update and a snapshot row look alike. For documents, a description marks an update, and no document at all is a delete,
  which carries no document; nothing is truncated.
  `iodebeziumtxId` (source.txId) and `iodebeziumtxid` (transaction.id) differ in case only; JSON readers tell them apart, Spark's
  columns do not, so the second is read only where a connector does not have the first.
  Source: Debezium documentation, "CloudEvents converter"; captures pg-cloudevents, pg-cloudevents-plain.
#}
{% macro cloudevents(contract, columns) -%}
{% set is_document, source = afterimage.is_document(contract), {} -%}
{% for name in afterimage.source_names(contract) %}{% do source.update({name: afterimage._cloudevents_source_text(name, contract)}) %}{% endfor -%}
{{ afterimage.parsed_document(afterimage._cloudevents_type(contract, afterimage.images_type(contract, columns)), 'record_value', afterimage.records_read(contract), columns) }}

envelope as (
    -- with a schema block the images are one level down, in payload
    select
        {{ afterimage.landed_and_parsed(contract) }}
        record.document.data.payload is not null as has_schema,
        {{ afterimage.any_key_twice(['record_value', "get_json_object(record_value, '$.data')"] + (["get_json_object(record_value, '$.data.payload')"] if is_document else [])) }} as repeats_key,
        cast(null as string) as fault,
        case
            when record.document.specversion is null then null
            when record.document.iodebeziumop is not null then {{ afterimage.reported_op('record.document.iodebeziumop') }}
            {%- if is_document %}
            -- data without such a field is neither a document nor a delete
            when not coalesce(array_contains({{ afterimage._data_fields() }}, 'after'), false) then null
            when coalesce(record.document.data.payload.updateDescription, record.document.data.updateDescription) is not null then 'u'
            {%- else %}
            when record.document.data is null then null
            {%- endif %}
            when coalesce(record.document.data.payload.after, record.document.data.after) is not null
                then if(coalesce(record.document.data.payload.before, record.document.data.before) is null, {{ "'x'" if is_document else afterimage.written_row_op() }}, 'u')
            when coalesce(record.document.data.payload.before, record.document.data.before) is not null then 'd'
            else '{{ 'd' if is_document else 't' }}'
        end as op,
        {{ afterimage.source_structs(source, 'cast(null as string)' if 'txId' in source else 'record.document.iodebeziumtxid', 'record.document.iodebeziumtxtotalorder') }},
        cast(null as bigint) as processed_us,
        {{ afterimage.envelope_images(contract, 'record.document.data') }}
    from parsed
),
{%- endmacro %}


{# Names of the fields of a CloudEvent's data (SQL, array of texts), NULL where data is no object. #}
{% macro _data_fields() %}
  {{ return("coalesce(json_object_keys(get_json_object(record_value, '$.data.payload')), json_object_keys(get_json_object(record_value, '$.data')))") }}
{% endmacro %}


{# SQL type of the event as from_json reads it. In: contract; images, fields of the struct that holds them. #}
{% macro _cloudevents_type(contract, images) %}
  {% set names = ['specversion', 'id', 'time', 'iodebeziumop', 'iodebeziumtxtotalorder'] %}
  {% for name in afterimage.source_names(contract) %}{% do names.append(afterimage._attribute(name)) %}{% endfor %}
  {% if 'txId' not in afterimage.source_names(contract) %}{% do names.append('iodebeziumtxid') %}{% endif %}
  {{ return('struct<`' ~ names | join('`: string, `') ~ '`: string, data: struct<' ~ images ~ ', payload: struct<' ~ images ~ '>>>') }}
{% endmacro %}


{# The attribute of a field of source: characters other than letters and digits are left out of its name. #}
{% macro _attribute(name) %}
  {{ return('iodebezium' ~ modules.re.sub('[^A-Za-z0-9]', '', name)) }}
{% endmacro %}


{# A field of the envelope's source, as text (SQL); without attributes the position from `id`, the time from `time`, and the topic for a table. #}
{% macro _cloudevents_source_text(name, contract) %}
  {% set attribute = 'record.document.' ~ afterimage._attribute(name) %}
  {% if name == 'ts_ms' %}
    {% set else_ = 'cast(unix_millis(try_cast(record.document.time as timestamp)) as string)' %}
  {% elif name in ['table', 'collection'] %}
    {% set else_ = 'topic' if name == 'collection' or contract['key_within'] != 'physical_table' else 'cast(null as string)' %}
  {% else %}
    {% set else_ = "nullif(regexp_extract(record.document.id, '(?:^|;)" ~ name ~ ":([^;]*)', 1), '')" %}
  {% endif %}
  {{ return(attribute if name in ['name', 'snapshot', 'ts_us', 'ts_ns', 'schema', 'db'] else 'coalesce(' ~ attribute ~ ', ' ~ else_ ~ ')') }}
{% endmacro %}
