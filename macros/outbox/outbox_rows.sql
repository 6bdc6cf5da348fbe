{#
  CTEs `envelopes`, `images` and `messages`: change events of the outbox itself, classified. Each insert, and each row
  of a snapshot, is an event. A row is an object (relational) or a document within a text (MongoDB).
  In:  outbox; a step `texts` (outbox_landed).
  Out: as outbox_messages.
  Source: Debezium documentation, the required structures of outbox table and collection.
#}
{% macro outbox_rows(outbox) -%}
{% set names = [outbox['field_event_id'] or 'id', '_id', outbox['field_event_type'], outbox['route_by_field'], outbox['field_event_key'], outbox['field_event_payload'],
                outbox['field_event_schema_version'], outbox['field_event_timestamp']] + outbox['placement'] | map(attribute='column') | list -%}
{# column: the name of its JSON here #}
{% set columns = {} -%}
{% for name in names | select | unique(case_sensitive=true) %}{% do columns.update({name: 'member_' ~ loop.index}) %}{% endfor -%}
{% set payload, texts = columns[outbox['field_event_payload']], {} -%}
{% for name, column in columns.items() %}{% do texts.update({name: afterimage.json_unquoted(column)}) %}{% endfor -%}
envelopes as (
    select
        *,
        if({{ afterimage.has_schema_block('record_value') }}, {{ afterimage.json_member('record_value', 'payload') }}, btrim(record_value, ' \n\r\t')) as envelope
    from texts
),

images as (
    select
        *,
        get_json_object(envelope, '$.op') as op,
        {{ afterimage.is_json_string('after') }} as is_document,
        if({{ afterimage.is_json_string('after') }}, {{ afterimage.json_string('after') }}, nullif(after, 'null')) as body
    from (
        select
            *,
            {{ afterimage.json_member('envelope', 'after') }} as after
        from envelopes
    ) as parted
),

members as (
    select
        *,
        {%- for name, column in columns.items() %}
        {{ afterimage.json_member('body', name) }} as {{ column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from images
),

messages as (
    select
        *,
        cast(null as map<string, string>) as message_headers,
        {% if outbox['field_event_id'] -%}
        {{ afterimage.json_unquoted(columns[outbox['field_event_id']]) }} as event_id,
        {%- else -%}
        if(is_document, {{ afterimage.json_unquoted(columns['_id']) }}, {{ afterimage.json_unquoted(columns['id']) }}) as event_id,
        {%- endif %}
        {{ afterimage.json_unquoted(columns[outbox['field_event_type']]) }} as event_type,
        {{ afterimage.json_unquoted(columns[outbox['route_by_field']]) }} as aggregate_type,
        {{ afterimage.json_unquoted(columns[outbox['field_event_key']]) }} as aggregate_id,
        {{ afterimage.json_unquoted(columns[outbox['field_event_schema_version']]) if outbox['field_event_schema_version'] else 'cast(null as string)' }} as schema_version,
        {{ afterimage._placed(outbox, texts) }} as placed,
        {% if outbox['field_event_timestamp'] -%}
        {{ afterimage._event_time(columns[outbox['field_event_timestamp']]) }} as event_ts,
        {%- else -%}
        -- the time of the change, as in the table's change log; else that of the record (0 is not a time)
        coalesce(
            timestamp_micros(nullif(try_cast(get_json_object(envelope, '$.source.ts_us') as bigint), 0)),
            {{ afterimage.moment_of_millis("nullif(try_cast(get_json_object(envelope, '$.source.ts_ms') as bigint), 0)") }},
            {{ afterimage.moment_of_millis("nullif(try_cast(get_json_object(envelope, '$.ts_ms') as bigint), 0)") }}
        ) as event_ts,
        {%- endif %}
        cast(null as string) as position,
        get_json_object(envelope, '$.transaction.id') as transaction_id,
        case
            when record_value is null or envelope = 'null' then 'ignored tombstone'
            when not {{ afterimage.is_json('record_value') }} then 'refused broken_json'
            when envelope is null then 'refused too_deep'
            when op is null or not coalesce(array_contains(json_object_keys(envelope), 'source'), false) then 'refused wrong_envelope'
            when op = 'u' then 'refused outbox_update'
            when op = 'd' then 'ignored delete'
            when op = 't' then 'ignored truncate'
            when op = 'm' then 'ignored message'
            when op not in ('c', 'r') then 'refused unknown_op'
            when after is null and array_contains(json_object_keys(envelope), 'after') then 'refused too_deep'
            when body is null then 'refused missing_image'
            when is_document and not {{ afterimage.is_json('body') }} then 'refused broken_json'
            when {{ payload }} is null and array_contains(json_object_keys(body), {{ afterimage.literal(outbox['field_event_payload']) }}) then 'refused too_deep'
        end as other,
        true as is_whole,
        {{ payload }} as raw_payload,
        '' as around
    from members
),
{%- endmacro %}


{#
  A time in a row (SQL): in a document {"$date": milliseconds, an ISO text or {"$numberLong": …}}; in a table a text,
  or a number of milliseconds, microseconds or nanoseconds since 1970 (Timestamp, MicroTimestamp, NanoTimestamp),
  distinguished by size from the year 1973 on. In: SQL of its JSON.
#}
{% macro _event_time(member) %}
  {% set date = "get_json_object(" ~ member ~ ", \"$['$date']\")" %}
  {% set millis = "coalesce(get_json_object(" ~ member ~ ", \"$['$date']['$numberLong']\"), " ~ date ~ ")" %}
  {% set number = "try_cast(" ~ member ~ " as bigint)" %}
  {% set of_number = "case when " ~ number ~ " between -99999999999999 and 99999999999999 then " ~ afterimage.moment_of_millis(number)
                     ~ " when " ~ number ~ " between -99999999999999999 and 99999999999999999 then timestamp_micros(" ~ number ~ ") else timestamp_micros(" ~ number ~ " div 1000) end" %}
  {{ return("case when startswith(" ~ member ~ ", '{') then coalesce(" ~ afterimage.moment_of_millis('try_cast(' ~ millis ~ ' as bigint)') ~ ", try_cast(" ~ date ~ " as timestamp)) when "
            ~ afterimage.is_json_string(member) ~ " then try_cast(" ~ afterimage.json_string(member) ~ " as timestamp) else " ~ of_number ~ " end") }}
{% endmacro %}
