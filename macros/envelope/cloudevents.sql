{#
  Format cloudevents: Debezium's CloudEvents converter, structured JSON with data in JSON, with or without the schema block in data and with or
  without the extension attributes. In, Out: as debezium_json.

  Operation, source and transaction are in attributes (iodebeziumop, iodebezium<field of source>, iodebeziumtx<field of transaction>), all of
  them texts. Without them (extension.attributes.enable=false) the place is in the text of `id` alone, and a row without one before it
  is x: nothing tells an insert from an update or a row of a snapshot.
  `iodebeziumtxId` (source.txId) and `iodebeziumtxid` (transaction.id) differ in case alone; JSON readers tell them apart, Spark's
  columns do not, so the second is read only where a connector has no first.
  Source: Debezium documentation, "CloudEvents converter"; captures pg-cloudevents, pg-cloudevents-plain.
#}
{% macro cloudevents(contract, columns) -%}
{{ afterimage.parsed_document(afterimage.cloudevents_type(contract, 'before: ' ~ afterimage.row_image_type(columns) ~ ', after: ' ~ afterimage.row_image_type(columns)), 'record_value', afterimage.records_read(contract), columns) }}

envelope as (
    -- with a schema block the images are one level down, in payload
    select
        {{ afterimage.landed_and_parsed(contract) }}
        record.document.data.payload is not null as has_schema,
        {{ afterimage.any_key_twice(['record_value', "get_json_object(record_value, '$.data')"]) }} as repeats_key,
        cast(null as string) as fault,
        case
            when record.document.specversion is null then null
            when record.document.iodebeziumop is not null then {{ afterimage.told_op('record.document.iodebeziumop') }}
            when record.document.data is null then null
            when coalesce(record.document.data.payload.after, record.document.data.after) is not null
                then if(coalesce(record.document.data.payload.before, record.document.data.before) is null, {{ afterimage.written_row_op() }}, 'u')
            when coalesce(record.document.data.payload.before, record.document.data.before) is not null then 'd'
            else 't'
        end as op,
        {{ afterimage.cloudevents_attributes(contract) }},
        cast(null as bigint) as processed_us,
        coalesce(record.document.data.payload.before, record.document.data.before) as before,
        coalesce(record.document.data.payload.after, record.document.data.after) as after,
        {{ afterimage.image_text(contract['format']) }} as image_text
    from parsed
),
{%- endmacro %}


{# Source and transaction of an event, out of its attributes. In: contract. Out: two SQL columns, over CTE `parsed`. #}
{% macro cloudevents_attributes(contract) -%}
named_struct(
            {%- for name in afterimage.source_names(contract) %}
            '{{ name }}', {{ afterimage._cloudevents_source_text(name, contract) }}{{ ',' if not loop.last }}
            {%- endfor %}
        ) as source,
        named_struct(
            'id', {{ 'cast(null as string)' if 'txId' in afterimage.source_names(contract) else 'record.document.iodebeziumtxid' }},
            'total_order', record.document.iodebeziumtxtotalorder
        ) as transaction
{%- endmacro %}


{# SQL type of the event as from_json reads it. In: contract; images, fields of the struct that holds them. #}
{% macro cloudevents_type(contract, images) %}
  {% set names = ['specversion', 'id', 'time', 'iodebeziumop', 'iodebeziumtxtotalorder'] %}
  {% for name in afterimage.source_names(contract) %}{% do names.append(afterimage._attribute(name)) %}{% endfor %}
  {% if 'txId' not in afterimage.source_names(contract) %}{% do names.append('iodebeziumtxid') %}{% endif %}
  {{ return('struct<`' ~ names | join('`: string, `') ~ '`: string, data: struct<' ~ images ~ ', payload: struct<' ~ images ~ '>>>') }}
{% endmacro %}


{# The attribute of a field of source: what is no letter or digit is left out of its name. #}
{% macro _attribute(name) %}
  {{ return('iodebezium' ~ modules.re.sub('[^A-Za-z0-9]', '', name)) }}
{% endmacro %}


{# A field of the envelope's source, as text (SQL); without attributes the place from `id`, the time from `time`, and the topic for a table. #}
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
