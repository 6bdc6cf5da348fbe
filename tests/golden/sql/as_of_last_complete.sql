with

settled as (
    select distinct transaction_id
    from afterimage.stg_shop__orders
    where is_settled
),

unseen_changes as (
    select changes.*
    from afterimage.stg_shop__carts as changes
    left anti join settled
        on settled.transaction_id = substring_index(changes._cdc_tx_id, ':', 1)
    where changes._cdc_tx_order is not null
)

select history.*
from afterimage.hist_shop__carts as history
where
    -- begun in a complete transaction
    (
        history._cdc_tx_order is null
        or exists (
            select 1
            from settled
            where settled.transaction_id = substring_index(history._cdc_tx_id, ':', 1)
        )
    )
    -- and not ended, or ended by a change of a later transaction, which may have changed the row's key
    and (
        history._cdc_end_position is null
        or exists (
            select 1
            from unseen_changes
            where
                unseen_changes._cdc_position = history._cdc_end_position
                and (
                    unseen_changes._cdc_key = history._cdc_key
                    or unseen_changes._cdc_previous_key = history._cdc_key
                    or unseen_changes._cdc_op = 't'
                )
        )
    )
