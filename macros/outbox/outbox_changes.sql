{#
  CTEs `changes` and `messages`: the change log of the outbox table itself, classified. Types are already decoded, so
  the payload is as in the database.
  In:  changes, the change log; outbox; built, if a step `decided` has the processed records, otherwise none.
  Out: as outbox_messages.
#}
{% macro outbox_changes(changes, outbox, built) -%}
{% set contract = afterimage.contract_of_change_log(changes) -%}
{% set there, texts = {}, {} -%}
{% for column in afterimage.contract_columns(contract) %}{% do there.update({column['name']: column['type']}) %}{% do texts.update({column['name']: 'cast(' ~ column['sql'] ~ ' as string)'}) %}{% endfor -%}
{% set payload = outbox['field_event_payload'] -%}
{% set missing = [outbox['field_event_id'] or 'id', payload, outbox['field_event_timestamp'], outbox['field_event_schema_version']] | select | reject('in', there) | list -%}
{% if missing -%}
  {% do exceptions.raise_compiler_error(
    '[afterimage] ' ~ outbox['origin'] ~ ': ' ~ outbox['source_name'] ~ '.' ~ outbox['table_name'] ~ ': outbox: the contract of the table has no column '
    ~ missing | join(', ') ~ ', but ' ~ there | join(', ') ~ '. Say field_event_id, field_event_payload, …, or declare the column.') %}
{% endif -%}
changes as (
    select *
    from {{ changes }} as change_log
    {%- if built %}
    left anti join decided
        on
            change_log._cdc_topic = decided._cdc_topic
            and change_log._cdc_partition = decided._cdc_partition
            and change_log._cdc_offset = decided._cdc_offset
            and change_log._cdc_landed_ts <=> decided._cdc_landed_ts
    {%- endif %}
    where {{ afterimage.is_of_source() }}
),

messages as (
    select
        _cdc_topic as topic,
        _cdc_partition as partition,
        _cdc_offset as offset,
        _cdc_landed_ts as timestamp,
        _cdc_key as record_key,
        to_json(struct(*)) as record_value,
        cast(null as string) as unreadable,
        true as is_text,
        cast(null as string) as body,
        cast(null as map<string, string>) as message_headers,
        cast({{ afterimage.identifier(outbox['field_event_id'] or 'id') }} as string) as event_id,
        cast({{ afterimage.identifier(outbox['field_event_type']) if outbox['field_event_type'] in there else 'null' }} as string) as event_type,
        cast({{ afterimage.identifier(outbox['route_by_field']) if outbox['route_by_field'] in there else 'null' }} as string) as aggregate_type,
        cast({{ afterimage.identifier(outbox['field_event_key']) if outbox['field_event_key'] in there else 'null' }} as string) as aggregate_id,
        cast({{ afterimage.identifier(outbox['field_event_schema_version']) if outbox['field_event_schema_version'] else 'null' }} as string) as schema_version,
        {{ afterimage._placed(outbox, texts) }} as placed,
        {{ afterimage.identifier(outbox['field_event_timestamp']) if outbox['field_event_timestamp'] else '_cdc_source_ts' }} as event_ts,
        _cdc_position as position,
        _cdc_tx_id as transaction_id,
        case _cdc_op
            when 'u' then 'refused outbox_update'
            when 'd' then 'ignored delete'
            when 't' then 'ignored truncate'
        end as other,
        true as is_whole,
        {{ 'base64(' ~ afterimage.identifier(payload) ~ ')' if there[payload] == 'binary' else 'cast(' ~ afterimage.identifier(payload) ~ ' as string)' }} as raw_payload,
        '' as around
    from changes
),
{%- endmacro %}
