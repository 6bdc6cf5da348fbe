{#
  CTEs `framed` and `read_records`: landed bytes in Avro as the JSON that Kafka Connect's JSON converter would have written, one row per record;
  text stays unchanged, so a topic may have both.

  Each record is read with the schema it was written with, by the id in its frame: a field that came later is absent from an older record,
  not filled with a default. Logical types are removed from the schema first (a decimal is base64, a date a number of days, as in JSON), so the
  contract's types and settings hold for both.
  A frame, by avro_framing:
    confluent   0, four bytes of id, body
    apicurio    0, eight bytes of id, body
    headers     body; the id is in the header apicurio.value.globalId or .contentId (apicurio.key.… of the key)
  It is proven that exactly the full body was read: eight bytes of afterimage's follow it, which the schema's reader must reach.

  In:  contract; schemas of its topics (avro_schemas); a step `new_records` with key_bytes and value_bytes.
  Out: the columns of that, record_key and record_value (texts), value_schema (for data in CloudEvents data_schema): the id of the schema, NULL for
       text; unreadable: the reason and its subject ("unknown_schema 7"), or NULL.
       Bytes that cannot be read are there as base64.
  Source: Debezium documentation, "Avro serialization"; captures pg-avro, pg-avro-apicurio8, pg-avro-headers.
#}
{% macro avro_records(contract, schemas) -%}
{{ afterimage._framed('framed', 'new_records', ['key', 'value'], [
  afterimage.avro_schema_id('key', contract) ~ ' as key_schema',
  afterimage.avro_schema_id('value', contract) ~ ' as value_schema',
  'if(value_bytes is null, key_schema, value_schema) as telling_schema',
], schemas, contract) }}

read_records as (
    select
        * except (key_bytes, value_bytes, key_text, value_text, telling_schema),
        coalesce(key_text, concat('base64:', base64(key_bytes))) as record_key,
        coalesce(value_text, concat('base64:', base64(value_bytes))) as record_value,
        case
            -- a delete may have only a key
            when if(value_bytes is null, key_bytes is null or key_text is not null, value_text is not null) then null
            when telling_schema in ({{ afterimage.literals(schemas | map(attribute='id')) or "''" }}) then concat('broken_avro ', telling_schema)
            else concat('unknown_schema ', telling_schema)
        end as unreadable
    from framed
),
{%- if afterimage.record_format(contract['format'])['has_data'] %}

{{ afterimage._avro_data(schemas, contract) }}
{%- endif %}
{%- endmacro %}


{#
  CTE: records with the texts of some sides, each decoded once, however often it is used. In: its name; the records it reads; sides; columns (SQL) to
  add first, among them <side>_schema; schemas; contract.
#}
{% macro _framed(name, records, sides, columns, schemas, contract) -%}
{{ name }} as (
    select
        with_schemas.*
        {%- for side in sides %},
        {{ side }}_text
        {%- endfor %}
    from (
        select
            *,
            {{ columns | join(',\n            ') }}
        from {{ records }}
    ) as with_schemas
        {%- for side in sides %}
        lateral view explode(array(
            {{ afterimage.avro_text(side, schemas, contract) | indent(12) }}
        )) as {{ side }}_text
        {%- endfor %}
),
{%- endmacro %}


{#
  CTEs `data_framed` and `read_data`: the same for `data` in a CloudEvent, which is the base64 of a frame where the event says that
  it is Avro. The events themselves may be in JSON or in Avro.
#}
{% macro _avro_data(schemas, contract) -%}
{{ afterimage._framed('data_framed', 'read_records', ['data'], [
  "if(get_json_object(record_value, '$.datacontenttype') like '%avro%', get_json_object(record_value, '$.data'), null) as data_base64",
  "try_to_binary(data_base64, 'base64') as data_bytes",
  afterimage.avro_schema_id('data', contract) ~ ' as data_schema',
], schemas, contract) }}

read_data as (
    select
        * except (record_value, unreadable, data_base64, data_bytes, data_text),
        if(data_schema is not null and data_text is not null, replace(record_value, concat('"', data_base64, '"'), data_text), record_value) as record_value,
        case
            when unreadable is not null then unreadable
            when data_base64 is null or (data_schema is not null and data_text is not null) then null
            when data_schema in ({{ afterimage.literals(schemas | map(attribute='id')) or "''" }}) or data_schema is null then concat_ws(' ', 'broken_avro', data_schema)
            else concat('unknown_schema ', data_schema)
        end as unreadable
    from data_framed
),
{%- endmacro %}


{# The id of the schema that a side of a record was written with; NULL where it is not Avro. In: side, key, value or data; contract. Out: SQL text. #}
{% macro avro_schema_id(side, contract) %}
  {% set bytes = side ~ '_bytes' %}
  {% set number = "conv(hex(%s), 16, 10)" %}
  {% if contract['avro_framing'] == 'headers' %}
    {% set ids = [] %}
    {% for name in ['globalId', 'contentId'] %}{% do ids.append(afterimage.kafka_header_bytes('apicurio.' ~ side ~ '.' ~ name)) %}{% endfor %}
    {{ return(number % ('coalesce(' ~ ids | join(', ') ~ ')')) }}
  {% endif %}
  {% set width = 8 if contract['avro_framing'] == 'apicurio' else 4 %}
  {{ return("if(startswith(" ~ bytes ~ ", X'00'), " ~ number % ('substring(' ~ bytes ~ ', 2, ' ~ width ~ ')') ~ ", null)") }}
{% endmacro %}


{# A side of a record as text; NULL where it is Avro and cannot be read. In: side, see avro_schema_id; schemas (avro_schemas); contract. Out: SQL text. #}
{% macro avro_text(side, schemas, contract) %}
  {% set bytes = side ~ '_bytes' %}
  {% set start = {'confluent': 6, 'apicurio': 10, 'headers': 1}[contract['avro_framing']] %}
  {% set branches = [] %}
  {% for schema in schemas if schema['of'] in [side, 'both'] or (side == 'data' and schema['of'] == 'value') %}
    {% do branches.append('when ' ~ side ~ "_schema = '" ~ schema['id'] ~ "' then " ~ afterimage.avro_json('substring(' ~ bytes ~ ', ' ~ start ~ ')', schema['schema'])) %}
  {% endfor %}
  {% do branches.insert(0, 'when ' ~ side ~ '_schema is null then ' ~ afterimage.landed_json('cast(' ~ bytes ~ ' as string)')) %}
  {{ return('case\n    ' ~ branches | join('\n    ') ~ '\nend') }}
{% endmacro %}
