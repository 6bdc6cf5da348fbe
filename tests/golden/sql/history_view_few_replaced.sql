select /*+ broadcast(later) */
    written.id,
    written.owner,
    written.items,
    written.valid_from,
    written.valid_to,
    written.is_current,
    written._cdc_op,
    written._cdc_key,
    written._cdc_copy,
    written._cdc_previous_key,
    written._cdc_position,
    written._cdc_order,
    written._cdc_end_position,
    written._cdc_end_reason,
    written._cdc_event_id,
    written._cdc_source_ts,
    written._cdc_source_ts_ns,
    written._cdc_processed_ts,
    written._cdc_landed_ts,
    written._cdc_tx_id,
    written._cdc_tx_order,
    written._cdc_snapshot,
    written._cdc_unknown,
    written._cdc_special,
    written._cdc_batch
from afterimage.stg_shop__carts as written
left anti join (
    select _cdc_key, _cdc_replaces_from, _cdc_append
    from afterimage.stg_shop__carts
    where _cdc_replaces_from is not null and _cdc_append > 2 and _cdc_append <= 4
) as later
    on
        written._cdc_key = later._cdc_key
        and written._cdc_append < later._cdc_append
        and (written._cdc_end_order is null or written._cdc_end_order >= later._cdc_replaces_from)
where written._cdc_kind = 'version' and written._cdc_append <= 4
