select
    batch.id,
    batch.owner,
    batch.items,
    batch._cdc_op,
    batch._cdc_key,
    batch._cdc_previous_key,
    batch._cdc_position,
    batch._cdc_order,
    coalesce(exceptional._cdc_event_id, batch._cdc_event_id) as _cdc_event_id,
    batch._cdc_image_hash,
    batch._cdc_before_hash,
    batch._cdc_source_ts,
    batch._cdc_source_ts_ns,
    batch._cdc_processed_ts,
    batch._cdc_landed_ts,
    batch._cdc_topic,
    batch._cdc_partition,
    batch._cdc_offset,
    batch._cdc_source_table,
    batch._cdc_tx_id,
    batch._cdc_tx_order,
    batch._cdc_committed_after,
    batch._cdc_snapshot,
    batch._cdc_connector_run,
    batch._cdc_unknown,
    batch._cdc_absent,
    batch._cdc_special,
    batch._cdc_extra,
    cast(4 as bigint) as _cdc_batch
from afterimage.stg_shop__carts__batch as batch
left join few as exceptional
    on batch._cdc_batch_row = exceptional._cdc_batch_row
where
    batch._cdc_outcome = 'accepted'
    and coalesce(exceptional._cdc_delivery, 1) = 1
