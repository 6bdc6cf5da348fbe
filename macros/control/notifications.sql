{#
  The connectors' notifications about their snapshots (notification.enabled.channels: sink), in one form.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read. The
       topic has no default: name it under side_topics as `notification`.
  Out: a select, one row for each record:
    source_name, topic, partition, offset, landed_at
    id                  of the signal that requested the snapshot, otherwise the notification's own
    connector_name
    notified_at         by the connector's clock; for records before 2.4, which have no time, when they landed
    snapshot            initial (and blocking: connectors do not distinguish them), incremental; other: an
                        aggregate_type of another kind
    aggregate_type      as sent
    status              STARTED, IN_PROGRESS, TABLE_SCAN_COMPLETED, PAUSED, RESUMED, ABORTED, COMPLETED, SKIPPED,
                        without the prefix `Status ` of older ones
    data_collections    array of the tables still to do, or of the run
    collection          the table the record is about: in progress, or scanned
    last_processed_key, maximum_key   texts; several key columns are joined by commas
    total_rows_scanned
    scan_status         EMPTY, NO_PRIMARY_KEY, SKIPPED, SQL_EXCEPTION, SUCCEEDED, UNKNOWN_SCHEMA
    additional_data     map of texts, complete
    is_repeat           the same was delivered before, after a restart
    fault               why the record is no known notification: no value, broken JSON, no notification, unknown
                        status, unknown kind
  Source: Debezium documentation, "notifications" (2.3: 001:24222, newer ones with timestamp and more of the initial
  snapshot); capture pg-incremental-snapshot.
#}
{% macro notifications(change_logs, landings) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
  {% set topics = afterimage.topics_around(contracts, ['notification'], 'notifications', 'name the topic (notification.sink.topic.name) under side_topics as `notification`.') -%}
{{ afterimage._notifications(landings, contracts, topics) }}
{%- endmacro %}


{% macro _notifications(landings, contracts, topics) -%}
-- notifications of {{ contracts[0]['source_name'] }}, made by afterimage.notifications
with

{{ afterimage.control_records(landings, contracts[0], topics) }}

parsed_notifications as (
    select
        *,
        row_number() over (partition by topic, record_value order by timestamp, partition, offset) > 1 as is_repeat,
        json_object_keys(record_value) as names,
        get_json_object(record_value, '$.id') as id,
        get_json_object(record_value, '$.aggregate_type') as aggregate_type,
        regexp_replace(get_json_object(record_value, '$.type'), '^Status ', '') as status,
        from_json(get_json_object(record_value, '$.additional_data'), 'map<string, string>') as additional_data,
        try_cast(get_json_object(record_value, '$.timestamp') as bigint) as reported_ms
    from control_records
)

select
    {{ afterimage.literal(contracts[0]['source_name']) }} as source_name,
    topic,
    partition,
    offset,
    timestamp as landed_at,
    id,
    additional_data['connector_name'] as connector_name,
    coalesce({{ afterimage.moment_of_millis('nullif(reported_ms, 0)') }}, timestamp) as notified_at,
    case aggregate_type when 'Initial Snapshot' then 'initial' when 'Incremental Snapshot' then 'incremental' else 'other' end as snapshot,
    aggregate_type,
    status,
    filter(
        split(coalesce(additional_data['data_collections'], additional_data['data_collection']), '\\s*,\\s*'), each -> each <> ''
    ) as data_collections,
    coalesce(additional_data['scanned_collection'], additional_data['current_collection_in_progress']) as collection,
    additional_data['last_processed_key'] as last_processed_key,
    additional_data['maximum_key'] as maximum_key,
    try_cast(additional_data['total_rows_scanned'] as bigint) as total_rows_scanned,
    additional_data['status'] as scan_status,
    additional_data,
    is_repeat and id is not null as is_repeat,
    case
        when record_value is null then 'no value'
        when names is null then 'broken JSON'
        when aggregate_type is null or status is null then 'no notification'
        when aggregate_type not in ('Initial Snapshot', 'Incremental Snapshot') then 'unknown kind'
        when status not in ('STARTED', 'IN_PROGRESS', 'TABLE_SCAN_COMPLETED', 'PAUSED', 'RESUMED', 'ABORTED', 'COMPLETED', 'SKIPPED') then 'unknown status'
    end as fault
from parsed_notifications
{%- endmacro %}
