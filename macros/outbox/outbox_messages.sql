{#
  CTEs `bodies` and `messages`: texts of routed messages, classified.
  The body of a message is its value without the schema block; if a field is placed in the envelope, the payload is
  one of its members.
  In:  outbox; a step `texts` (outbox_landed).
  Out: topic, partition, offset, timestamp, record_key, record_value, unreadable, is_text, body, message_headers,
  event_id, event_type, aggregate_type, aggregate_id, schema_version, placed, event_ts, position, transaction_id,
  other (its outcome if it is no event), is_whole, raw_payload (verbatim from the value), beginning of payload_form.
#}
{% macro outbox_messages(outbox) -%}
{% set is_json = outbox['value_converter'] in ['json', 'avro'] -%}
{% set envelope = outbox['placement'] | selectattr('placement', 'equalto', 'envelope') | list -%}
bodies as (
    select
        *,
        {% if is_json -%}
        if({{ afterimage.has_schema_block('record_value') }}, {{ afterimage.json_member('record_value', 'payload') }}, btrim(record_value, ' \n\r\t')) as body
        {%- else -%}
        record_value as body
        {%- endif %}
    from texts
),

messages as (
    select
        *,
        {{ afterimage._headers_as_map('headers') }} as message_headers,
        {{ afterimage.json_plain(afterimage.kafka_header('id')) }} as event_id,
        {{ afterimage._outbox_place(outbox['event_type'], outbox) }} as event_type,
        {{ afterimage._outbox_place(outbox['aggregate_type'], outbox) }} as aggregate_type,
        {{ afterimage.json_plain('record_key') }} as aggregate_id,
        {{ "get_json_object(record_value, '$.schema.version')" if is_json else 'cast(null as string)' }} as schema_version,
        {{ afterimage._placed(outbox) }} as placed,
        timestamp as event_ts,
        cast(null as string) as position,
        cast(null as string) as transaction_id,
        {% if is_json -%}
        case
            when body is null and record_value is not null
                then if({{ afterimage.is_json('record_value') }}, 'refused too_deep', 'refused broken_json')
            when body is null or body = 'null' then null
            when startswith(body, '{') and contains(body, '"op"') and get_json_object(body, '$.source.connector') is not null and get_json_object(body, '$.op') is not null
                then 'refused change_event'
            {%- if envelope %}
            when not {{ afterimage.is_json('record_value') }} then 'refused broken_json'
            when not coalesce(array_contains(json_object_keys(body), 'payload'), false) then 'refused wrong_form'
            when {{ afterimage.json_member('body', 'payload') }} is null then 'refused too_deep'
            {%- endif %}
        end as other,
        coalesce(body, '') = record_value or record_value is null or {{ afterimage.is_json('record_value') }} as is_whole,
        {%- else -%}
        cast(null as string) as other,
        true as is_whole,
        {%- endif %}
        {{ "if(body = 'null', body, " ~ afterimage.json_member('body', 'payload') ~ ')' if envelope else 'body' }} as raw_payload,
        {{ "'enveloped '" if envelope else "''" }} as around
    from bodies
),
{%- endmacro %}


{#
  The placed fields, by their aliases, as a map of texts (SQL). In: outbox; for rows columns, {column: SQL of its
  text}, and missing ones are omitted; for messages none.
#}
{% macro _placed(outbox, columns=none) %}
  {% set pairs = [] %}
  {% for place in outbox['placement'] if place['placement'] in ['header', 'envelope'] and (columns is none or place['column'] in columns) %}
    {% set text = afterimage._outbox_place(place['placement'] ~ ':' ~ place['alias'], outbox) if columns is none else columns[place['column']] %}
    {% do pairs.append(afterimage.literal(place['alias']) ~ ', ' ~ text) %}
  {% endfor %}
  {{ return('map(' ~ pairs | join(', ') ~ ')' if pairs else 'cast(null as map<string, string>)') }}
{% endmacro %}


{#
  The value at a place of a message, as text (SQL): topic, header:<name>, envelope:<name>, payload:$.<path>; NULL for
  none.
#}
{% macro _outbox_place(place, outbox) %}
  {% if place is none %}{{ return('cast(null as string)') }}{% endif %}
  {% set where, _, name = place.partition(':') %}
  {% if where == 'header' %}{{ return(afterimage.json_plain(afterimage.kafka_header(name))) }}{% endif %}
  {% if where == 'envelope' %}{{ return('get(transform(array(' ~ afterimage.json_member('body', name) ~ '), v -> ' ~ afterimage.json_unquoted('v') ~ '), 0)') }}{% endif %}
  {% if where == 'payload' %}
    {% set raw = afterimage.json_member('body', 'payload') if outbox['placement'] | selectattr('placement', 'equalto', 'envelope') | list else 'body' %}
    {{ return("get_json_object(if(startswith(" ~ raw ~ ", '\"'), " ~ afterimage.json_string(raw) ~ ", " ~ raw ~ "), " ~ afterimage.literal(name) ~ ")") }}
  {% endif %}
  {{ return(afterimage.aggregate_type_of_topic('topic', outbox)) }}
{% endmacro %}


{# Kafka headers as a map of texts (SQL), the first of each name; bytes that are no text in base64. #}
{% macro _headers_as_map(headers) %}
  {{ return("map_from_entries(transform(array_distinct(" ~ headers ~ ".key), name -> struct(name, transform(array(get(" ~ headers ~ ".value, cast(array_position(" ~ headers
            ~ ".key, name) as int) - 1)), bytes -> if(is_valid_utf8(cast(bytes as string)), " ~ afterimage.json_plain('cast(bytes as string)') ~ ", base64(bytes)))[0])))") }}
{% endmacro %}
