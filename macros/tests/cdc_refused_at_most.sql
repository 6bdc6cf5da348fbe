{#
  Threshold of refusals. Put on the quarantine of a source; `records` is how many refused records it may hold.
  Returns a row per table and reason once there are more than that in total.

      data_tests:
        - afterimage.cdc_refused_at_most: {arguments: {records: 0}}
#}
{% test cdc_refused_at_most(model, records=0) %}
select
    refused.table_name,
    refused.reason,
    count(*) as refused,
    {{ afterimage.literal('more than ' ~ records | int ~ ' refused records stand') }} as failure_reason
from {{ model }} as refused
where (select count(*) from {{ model }}) > {{ records | int }}
group by refused.table_name, refused.reason
{% endtest %}
