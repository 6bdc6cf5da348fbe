-- current state of shop.products, made by afterimage.current_state
with

history as (
    select * from afterimage.hist_shop__products
)

select
    sku,
    name,
    price,
    weight,
    attributes,
    tags,
    category,
    description,
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
