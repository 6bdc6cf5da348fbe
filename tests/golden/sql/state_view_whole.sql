select
    written.id,
    written.owner,
    written.items,
    written._cdc_op,
    written._cdc_key,
    written._cdc_copy,
    written._cdc_position,
    written._cdc_event_id,
    written._cdc_source_ts,
    written._cdc_processed_ts,
    written._cdc_landed_ts,
    written._cdc_snapshot,
    written._cdc_unknown,
    written._cdc_special
from afterimage.hist_shop__carts as written
where
    (written.cdc_append = 5 or written.cdc_append >= 10)
    and not written._cdc_is_gone
    and written.cdc_append <= 9
