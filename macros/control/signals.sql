{#
  The signals sent to connectors, from rows of their signal table and records of their signal topic, in one form.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read. The
       signal topic is `<topic_prefix>-signal` unless side_topics names another as `signal`; the table's topic is
       known by helper_tables ({crew.dbz_signal: signal}) or by side_topics (`signal table`). Signals by file or JMX
       leave no record.
  Out: a select, one row for each record:
    source_name, topic, partition, offset, landed_at
    channel             table, kafka
    op                  of a row of the table: c; d where the connector deletes its own rows
                        (incremental.snapshot.watermarking.strategy=insert_delete)
    signalled_at        by the source's clock; for the topic, when it landed
    id, type            as sent; a record of the topic may have no id
    kind                action, watermark (the connector's own rows: snapshot-window-open, -close), other
    action              execute-snapshot, stop-snapshot, pause-snapshot, resume-snapshot, log, schema-changes
    snapshot            incremental, blocking; the `type` that the action requests, incremental by default
    data_collections    array of the tables requested, regular expressions
    is_filtered         an execute-snapshot that requests only some of the rows: additional-condition,
                        additional-conditions
    conditions          its conditions, as JSON text
    surrogate_key, message
    data                as sent
    fault               no value, broken JSON, no signal (no type; except rows of the table that are deleted again,
                        and their tombstones), unknown action, data is no JSON, another key (a record of the topic
                        whose key is not topic.prefix: the connector ignores it), no snapshot type (a stop-snapshot
                        without `type` stops nothing)
  Source: Debezium documentation, "signaling" (001:24415); capture pg-incremental-snapshot.
#}
{% macro signals(change_logs, landings) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
  {% set topics = afterimage.topics_around(contracts, ['signal', 'signal table'], 'signals', 'say topic_prefix, and the signal table under helper_tables ({schema.table: signal}).') -%}
  {% set prefixes = contracts | map(attribute='topic_prefix') | select | unique(case_sensitive=true) | list -%}
-- signals of {{ contracts[0]['source_name'] }}, made by afterimage.signals
with

{{ afterimage.control_records(landings, contracts[0], topics) }}

{{ afterimage.signal_records(afterimage.side_topics_of(contracts, 'signal'), afterimage.side_topics_of(contracts, 'signal table')) }}

parsed_signals as (
    select
        *,
        type in ('snapshot-window-open', 'snapshot-window-close') as is_watermark,
        type in ('execute-snapshot', 'stop-snapshot', 'pause-snapshot', 'resume-snapshot') as is_of_snapshot,
        json_object_keys(data) is not null as has_data,
        get_json_object(data, '$.type') as type_asked,
        coalesce(get_json_object(data, "$['additional-conditions']"), get_json_object(data, "$['additional-condition']")) as conditions
    from signal_records
)

select
    {{ afterimage.literal(contracts[0]['source_name']) }} as source_name,
    topic,
    partition,
    offset,
    timestamp as landed_at,
    channel,
    if(channel = 'table', op, null) as op,
    coalesce({{ afterimage.moment_of_millis("nullif(try_cast(get_json_object(source_text, '$.ts_ms') as bigint), 0)") }}, timestamp) as signalled_at,
    id,
    type,
    case when is_watermark then 'watermark' when is_of_snapshot or type in ('log', 'schema-changes') then 'action' else 'other' end as kind,
    if(is_of_snapshot or type in ('log', 'schema-changes'), type, null) as action,
    case
        when not coalesce(is_of_snapshot, false) then null
        when type_asked rlike '(?i)^blocking$' then 'blocking'
        when type_asked is null or type_asked rlike '(?i)^incremental$' then 'incremental'
        else type_asked
    end as snapshot,
    if(is_of_snapshot, from_json(get_json_object(data, "$['data-collections']"), 'array<string>'), null) as data_collections,
    if(type = 'execute-snapshot', coalesce(conditions not in ('', '[]', '{}'), false), null) as is_filtered,
    nullif(nullif(conditions, ''), '[]') as conditions,
    get_json_object(data, "$['surrogate-key']") as surrogate_key,
    get_json_object(data, '$.message') as message,
    data,
    case
        -- rows of the signal table are deleted again, by the connector or by the requester
        when channel = 'table' and (record_value is null or (op = 'd' and type is null)) then null
        when record_value is null then 'no value'
        when not is_there then 'broken JSON'
        when type is null then 'no signal'
        when not (is_watermark or is_of_snapshot or type in ('log', 'schema-changes')) then 'unknown action'
        {%- if prefixes %}
        when channel = 'kafka' and not coalesce(trim('"' from record_key) in ({{ afterimage.literals(prefixes) }}), false) then 'another key'
        {%- endif %}
        when not is_watermark and coalesce(data, '') <> '' and not has_data then 'data is no JSON'
        when type = 'stop-snapshot' and type_asked is null then 'no snapshot type'
    end as fault
from parsed_signals
{%- endmacro %}
