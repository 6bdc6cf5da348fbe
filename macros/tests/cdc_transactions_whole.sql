{#
  No transaction stays incomplete. Put on a model of transactions. Returns what time does not resolve: unreadable
  records, and changes that no END reports; and what is overdue: changes missing for `hours`, and transactions that
  are open, or without any boundary, though one that ended so much later has been read. While one is missing or open,
  none after it settles.

      data_tests:
        - afterimage.cdc_transactions_whole: {arguments: {hours: 2}}
#}
{% test cdc_transactions_whole(model, hours=24) %}
select
    transaction_id,
    data_collection,
    table_name,
    state,
    reported,
    staged,
    ended_order,
    case state
        when 'fault' then concat('a record of the topic cannot be read: ', fault)
        when 'missing' then concat('changes of the transaction are missing: ', reported, ' reported, ', staged, ' staged')
        when 'open' then 'the transaction has no END, but later ones have'
        when 'unbounded' then 'the transaction has neither BEGIN nor END, but later ones have'
        else concat('the END reports fewer changes than are staged: ', coalesce(reported, 0), ' reported, ', staged, ' staged')
    end as failure_reason
from {{ model }}
where
    state in ('fault', 'more', 'extra')
    or (state = 'missing' and ended_at < current_timestamp() - interval '{{ hours | int }}' hour)
    or (
        state in ('open', 'unbounded')
        and coalesce(began_at, changed_at) < (select max(ended.ended_at) from {{ model }} as ended) - interval '{{ hours | int }}' hour
    )
{% endtest %}
