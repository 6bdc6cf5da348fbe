{#
  CTEs up to `payloads`: the payload extracted from its form.
  In:  outbox; schemas; is_bare, whether raw_payload is the payload itself (rows of a change log); a step `messages`
       (outbox_messages).
  Out: the columns of that, payload_form, payload_text (verbatim, bytes in base64, Avro as the JSON of its value),
  payload_fits: whether it matches the declaration.
#}
{% macro outbox_payloads(outbox, schemas, is_bare) -%}
{% set is_json = not is_bare and (outbox['captured'] == 'rows' or outbox['value_converter'] in ['json', 'avro']) -%}
{% set avro_within = outbox['payload'] == 'avro' and (is_bare or is_json) -%}
formed as (
    select
        *,
        {% if is_json -%}
        case
            when record_value is null then 'none'
            when raw_payload is null or raw_payload = 'null' then concat(around, 'null')
            when {{ afterimage.is_json_string('raw_payload') }} then concat(around, 'text')
            when startswith(raw_payload, '"') then concat(around, 'broken')
            {%- if not outbox['placement'] | selectattr('placement', 'equalto', 'envelope') | list %}
            when raw_payload rlike '\\A\\{\\s*"payload"\\s*:' then 'object like an envelope'
            {%- endif %}
            when raw_payload rlike '\\A[\\[{]' then concat(around, 'object')
            else concat(around, 'value')
        end as payload_form
        {%- else -%}
        if(raw_payload is null, 'none', 'bare') as payload_form
        {%- endif %}
    from messages
),

stated_payloads as (
    select
        *,
        {% if is_json -%}
        case
            when payload_form in ('none', 'null', 'enveloped null') then null
            when payload_form like '%text' then {{ afterimage.json_string('raw_payload') }}
            {%- if outbox['captured'] == 'rows' and outbox['payload'] in ['binary', 'avro'] %}
            {# bytes of a document -#}
            when payload_form = 'object'
                then coalesce(get_json_object(raw_payload, "$['$binary'].base64"), get_json_object(raw_payload, "$['$binary']"))
            {%- endif %}
            else raw_payload
        end as stated_payload
        {%- else -%}
        raw_payload as stated_payload
        {%- endif %}
    from formed
),

{% if avro_within -%}
frames as (
    select
        *,
        {{ afterimage.avro_schema_id('data', outbox) }} as data_schema
    from (select *, try_to_binary(stated_payload, 'base64') as data_bytes from stated_payloads) as with_bytes
),

payloads as (
    select
        * except (unreadable, stated_payload, data_bytes, data_schema, data_text),
        case
            when coalesce(stated_payload, '') = '' or (data_schema is not null and data_text is not null) then unreadable
            when data_schema in ({{ afterimage.literals(schemas | map(attribute='id')) or "''" }}) or data_schema is null then concat_ws(' ', 'broken_avro', data_schema)
            else concat('unknown_schema ', data_schema)
        end as unreadable,
        if(coalesce(stated_payload, '') = '', stated_payload, data_text) as payload_text,
        true as payload_fits
    from frames
        lateral view explode(array(
            {{ afterimage.avro_text('data', schemas, outbox) | indent(12) }}
        )) as data_text
),
{%- else -%}
payloads as (
    select
        * except (stated_payload),
        stated_payload as payload_text,
        {% if outbox['payload'] == 'json' -%}
        coalesce(stated_payload, '') = '' or {{ afterimage.is_json('stated_payload') }} as payload_fits
        {%- elif outbox['payload'] == 'binary' and is_json -%}
        stated_payload is null or try_to_binary(stated_payload, 'base64') is not null as payload_fits
        {%- elif outbox['payload'] == 'text' and is_json -%}
        payload_form not in ('object', 'value', 'object like an envelope') or {{ afterimage.is_json('stated_payload') }} as payload_fits
        {%- else -%}
        true as payload_fits
        {%- endif %}
    from stated_payloads
),
{%- endif %}
{%- endmacro %}
