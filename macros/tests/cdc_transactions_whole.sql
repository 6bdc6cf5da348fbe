{#
  No transaction lacks changes for good. Put on a model of transactions. Gives the tables of transactions whose END counts more changes, or fewer,
  than are staged, when the END is older than `hours`; what is given up is none of them.

      data_tests:
        - afterimage.cdc_transactions_whole: {arguments: {hours: 24}}
#}
{% test cdc_transactions_whole(model, hours=24) %}
select
    transaction_id,
    data_collection,
    table_name,
    ended_at,
    concat('its END counts ', told, ' changes of the table, and ', staged, ' are staged') as failure_reason
from {{ model }}
where
    state in ('missing', 'more')
    and ended_at < current_timestamp() - interval '{{ hours | int }}' hour
{% endtest %}
