{#
  The time up to which each table's stream is known: a quiet table has no events, but its connector's heartbeats show
  that there were none.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read. The
       heartbeat topic (heartbeat.interval.ms) follows from topic_prefix, or is named under side_topics as
       `heartbeat`; it belongs to the connector with whose prefix its name ends (topic.heartbeat.prefix is free).
  Out: a select, one row for each table:
    source_name, table_name, connector (topic_prefix)
    newest_event_at, newest_event_landed_at   the newest change by the source's clock; when the newest change landed
    heartbeat_at, heartbeat_landed_at         the connector's newest heartbeat, by its clock; when it landed. NULL
    without one
    newest_change_of_connector_at             the newest change of any table of the connector
    seen_until          all changes of the table up to this time had been read: the later of its newest event and the
                        newest heartbeat
    heard_at            when the last of either landed: the measure of freshness
    lag_ms              from the newest change in the source until the connector had processed it
    landing_lag_ms      from then until it had landed
    unreadable_heartbeats   records of the heartbeat topic without a time
  Heartbeats have their own topic: they may land before the events they follow. If topics are landed separately,
  seen_until is only as good as the slowest of them.
  Errors: a heartbeat topic that ends with none of the prefixes of several connectors.
  Source: Debezium documentation, heartbeat.interval.ms and topic.heartbeat.prefix of each connector.
#}
{% macro freshness(change_logs, landings) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
  {% set connector_of = afterimage._connectors_of_heartbeats(contracts) -%}
  {% set topics = connector_of | list -%}
-- freshness of {{ contracts[0]['source_name'] }}, made by afterimage.freshness
with

{% if topics -%}
{{ afterimage.control_records(landings, contracts[0], topics) }}

{% endif -%}
heartbeats as (
    {%- if topics %}
    select
        connector,
        max(reported_at) as heartbeat_at,
        max(timestamp) as heartbeat_landed_at,
        count_if(reported_at is null) as unreadable_heartbeats
    from (
        select
            {{ afterimage._map_of(connector_of) }}[topic] as connector,
            timestamp,
            {{ afterimage.moment_of_millis("nullif(try_cast(get_json_object(record_value, '$.ts_ms') as bigint), 0)") }} as reported_at
        from control_records
    ) as read
    group by connector
    {%- else %}
    select
        cast(null as string) as connector,
        cast(null as timestamp) as heartbeat_at,
        cast(null as timestamp) as heartbeat_landed_at,
        cast(null as bigint) as unreadable_heartbeats
    where false
    {%- endif %}
),

newest as (
    {%- for change_log in change_logs %}
    {%- set contract = contracts[loop.index0] %}
    select
        {{ afterimage.literal(contract['table_name']) }} as table_name,
        {{ afterimage.literal(afterimage._prefix_of(contract)) }} as connector,
        max(_cdc_source_ts) as newest_event_at,
        max(_cdc_landed_ts) as newest_event_landed_at,
        max_by(_cdc_source_ts, _cdc_order) as source_ts,
        max_by(_cdc_processed_ts, _cdc_order) as processed_ts,
        max_by(_cdc_landed_ts, _cdc_order) as landed_ts
    from {{ change_log }}
    where {{ afterimage.is_of_source() }}
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
)

select
    {{ afterimage.literal(contracts[0]['source_name']) }} as source_name,
    newest.table_name,
    newest.connector,
    newest.newest_event_at,
    newest.newest_event_landed_at,
    heartbeats.heartbeat_at,
    heartbeats.heartbeat_landed_at,
    max(newest.newest_event_at) over (partition by newest.connector) as newest_change_of_connector_at,
    greatest(newest.newest_event_at, heartbeats.heartbeat_at) as seen_until,
    greatest(newest.newest_event_landed_at, heartbeats.heartbeat_landed_at) as heard_at,
    timestampdiff(millisecond, newest.source_ts, newest.processed_ts) as lag_ms,
    timestampdiff(millisecond, newest.processed_ts, newest.landed_ts) as landing_lag_ms,
    coalesce(heartbeats.unreadable_heartbeats, 0) as unreadable_heartbeats
from newest
left join heartbeats
    on newest.connector = heartbeats.connector
{%- endmacro %}


{# topic.prefix of a contract's connector, if declared, otherwise the first part of its topic. #}
{% macro _prefix_of(contract) %}
  {{ return(contract['topic_prefix'] or contract['topics'][0].split('.')[0]) }}
{% endmacro %}


{# {heartbeat topic: prefix of the connector that writes it}. In: contracts. Errors: see freshness. #}
{% macro _connectors_of_heartbeats(contracts) %}
  {% set prefixes, found = [], {} %}
  {% for contract in contracts if afterimage._prefix_of(contract) not in prefixes %}{% do prefixes.append(afterimage._prefix_of(contract)) %}{% endfor %}
  {% for topic in afterimage.side_topics_of(contracts, 'heartbeat') %}
    {# the longest that fits, because a prefix may end with another #}
    {% set longest = namespace(prefix=prefixes[0] if prefixes | length == 1 else '') %}
    {% for prefix in prefixes if topic.endswith('.' ~ prefix) and prefix | length > longest.prefix | length %}{% set longest.prefix = prefix %}{% endfor %}
    {% if not longest.prefix %}
      {% do exceptions.raise_compiler_error('[afterimage] freshness of ' ~ contracts[0]['source_name'] ~ ': topic ' ~ topic ~ ' has heartbeats of an unknown connector. There are several ('
        ~ prefixes | join(', ') ~ '), and the topic ends with the prefix of none (`.<topic.prefix>`). Set topic_prefix in the contracts of their tables, or use a source for each connector.') %}
    {% endif %}
    {% do found.update({topic: longest.prefix}) %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}
