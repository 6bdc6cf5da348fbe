{#
  The messages that applications write into PostgreSQL's log next to their rows (pg_logical_emit_message), in one
  form: who made a change, or an event.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read. The
       topic is `<topic_prefix>.message` unless side_topics names another as `message`.
  Out: a select, one row for each record:
    source_name, topic, partition, offset, landed_at
    prefix
    content             binary, decoded by the contract's binary_handling_mode
    content_text        the same as text, if it is UTF-8; JSON if a transformation has decoded it
                        (DecodeLogicalDecodingMessageContent)
    is_transactional    whether it came with its transaction; otherwise it is in the log even if that was rolled back
    transaction_id      matches changes of the same transaction (_cdc_tx_id); NULL if it is not transactional
    position            position in the source's log, as in _cdc_position
    emitted_at          by the source's clock; if it is not transactional, when the connector read it
    is_repeat           the same was delivered before, after a restart
    fault               why the record is no message: no value, broken JSON, no message, or content in another form
                        than the contract says
  Source: Debezium documentation, PostgreSQL connector, "message events" (001:16890); captures shop, pg-inventory.
#}
{% macro logical_decoding_messages(change_logs, landings) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
  {% set topics = afterimage.topics_around(contracts, ['message'], 'logical_decoding_messages', 'say topic_prefix, or name the topic under side_topics as `message`.') -%}
  {% set contract, connector = contracts[0], afterimage.connector(contracts[0]) -%}
  {% if contract['connector'] != 'postgresql' -%}
    {% do exceptions.raise_compiler_error('[afterimage] logical_decoding_messages of ' ~ contract['source_name'] ~ ': only PostgreSQL has them, and its connector is ' ~ contract['connector'] ~ '.') -%}
  {% endif -%}
  {% set content = afterimage.decoder('bytea', contract) -%}
-- logical decoding messages of {{ contract['source_name'] }}, made by afterimage.logical_decoding_messages
with

{{ afterimage.control_records(landings, contract, topics) }}

parsed as (
    select
        *,
        json_object_keys(record_value) is not null as is_object,
        get_json_object(record_value, '$.op') as op,
        from_json(get_json_object(record_value, '$.source'), '{{ afterimage._source_texts(contract) }}') as source,
        from_json(get_json_object(record_value, '$.transaction'), 'id string, total_order string') as transaction,
        get_json_object(record_value, '$.message.prefix') as prefix,
        get_json_object(record_value, '$.message.content') as raw_content,
        json_object_keys(get_json_object(record_value, '$.message.content')) is not null as is_json
    from control_records
),

placed as (
    select
        *,
        {{ connector['position'] }} as position,
        {{ connector['tx_id'] }} as transaction_id,
        if(is_json, null, {{ afterimage.fill(content['value'], 'raw_content') }}) as content
    from parsed
)

select
    {{ afterimage.literal(contract['source_name']) }} as source_name,
    topic,
    partition,
    offset,
    timestamp as landed_at,
    prefix,
    content,
    case when is_json then raw_content when is_valid_utf8(cast(content as string)) then cast(content as string) end as content_text,
    transaction_id is not null as is_transactional,
    transaction_id,
    position,
    timestamp_micros(nullif(coalesce(try_cast(source.ts_us as bigint), try_multiply(try_cast(source.ts_ms as bigint), 1000)), 0)) as emitted_at,
    position is not null and row_number() over (partition by topic, position, prefix, raw_content order by timestamp, partition, offset) > 1 as is_repeat,
    case
        when record_value is null then 'no value'
        when not is_object then 'broken JSON'
        when not coalesce(op = 'm', false) or prefix is null then 'no message'
        when not is_json and {{ afterimage.fill(content['refuse'], 'raw_content') }} then 'content is not as binary_handling_mode has it'
    end as fault
from placed
{%- endmacro %}
