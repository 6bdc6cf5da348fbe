{#
  Threshold of refusals. Put on the quarantine of a source; `records` is how many refused records the run may stand at.
  Gives a row per table and reason once there are more than that altogether.

      data_tests:
        - afterimage.cdc_refused_at_most: {arguments: {records: 0}}
#}
{% test cdc_refused_at_most(model, records=0) %}
select
    table_name,
    reason,
    count(*) as refused,
    {{ afterimage.literal('more than ' ~ records | int ~ ' refused records stand') }} as failure_reason
from {{ model }}
where (select count(*) from {{ model }}) > {{ records | int }}
group by table_name, reason
{% endtest %}
