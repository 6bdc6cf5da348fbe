-- current state of shop.carts, made by afterimage.current_state
with

history as (
    select * from afterimage.stg_shop__carts
)

select
    id,
    owner,
    items,
    _cdc_op,
    _cdc_key,
    _cdc_copy,
    _cdc_position,
    _cdc_event_id,
    _cdc_source_ts,
    _cdc_processed_ts,
    _cdc_landed_ts,
    _cdc_snapshot,
    _cdc_unknown,
    _cdc_special
from history
where
    is_current
