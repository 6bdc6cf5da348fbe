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
        when 'missing'
            then concat('changes of the transaction are missing: ', reported, ' reported, ', staged, ' staged')
        when 'open' then 'the transaction has no END, but later ones have'
        when 'unbounded' then 'the transaction has neither BEGIN nor END, but later ones have'
        else
            concat(
                'the END reports fewer changes than are staged: ',
                coalesce(reported, 0),
                ' reported, ',
                staged,
                ' staged'
            )
    end as failure_reason
from afterimage.stg_shop__carts
where
    state in ('fault', 'more', 'extra')
    or (state = 'missing' and ended_at < current_timestamp() - interval '2' hour)
    or (
        state in ('open', 'unbounded')
        and coalesce(began_at, changed_at) < (
            select max(ended.ended_at) from afterimage.stg_shop__carts as ended
        ) - interval '2' hour
    )
