{#
  Silence. Put on a change log; fails when its newest record landed longer than `hours` ago, or when there is none.
  Returns one row with that time. Heartbeats of the connector are other topics and do not count.

      data_tests:
        - afterimage.cdc_still_arrives: {arguments: {hours: 24}}
#}
{% test cdc_still_arrives(model, hours) %}
select
    max(_cdc_landed_ts) as newest,
    {{ afterimage.literal('nothing has landed for more than ' ~ hours | int ~ ' hours') }} as failure_reason
from {{ model }}
having max(_cdc_landed_ts) is null or max(_cdc_landed_ts) < current_timestamp() - interval '{{ hours | int }}' hour
{% endtest %}
