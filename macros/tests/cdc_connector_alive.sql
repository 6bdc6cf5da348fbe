{#
  Silence of a connector. Put on a model of freshness; fails for each table if neither a change nor a heartbeat of its
  connector has landed for `hours`. A quiet table of a connector with heartbeats does not fail, which
  cdc_still_arrives cannot distinguish.

      data_tests:
        - afterimage.cdc_connector_alive: {arguments: {hours: 1}}
#}
{% test cdc_connector_alive(model, hours) %}
select
    table_name,
    connector,
    newest_event_landed_at,
    heartbeat_landed_at,
    {{ afterimage.literal('neither a change nor a heartbeat has landed for more than ' ~ hours | int ~ ' hours') }} as failure_reason
from {{ model }}
where heard_at is null or heard_at < current_timestamp() - interval '{{ hours | int }}' hour
{% endtest %}
