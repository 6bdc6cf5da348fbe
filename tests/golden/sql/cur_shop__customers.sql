-- current state of shop.customers, made by afterimage.current_state
with

history as (
    select * from afterimage.hist_shop__customers
)

select
    id,
    email,
    full_name,
    tier,
    is_active,
    birth_date,
    signed_up,
    last_seen,
    notes,
    points,
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
