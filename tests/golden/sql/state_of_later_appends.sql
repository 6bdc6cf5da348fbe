select /*+ broadcast(later) */
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
    written._cdc_special,
    written._cdc_is_gone
from afterimage.hist_shop__carts as written
left anti join (
    select _cdc_key, cdc_append
    from afterimage.hist_shop__carts
    where cdc_append >= 7 and cdc_append <= 9
) as later
    on written._cdc_key = later._cdc_key and written.cdc_append < later.cdc_append
where
    written.cdc_append >= 7
    and written.cdc_append <= 9
