select
    lives.id,
    lives.owner,
    lives.items,
    lives._cdc_op,
    lives._cdc_key,
    lives._cdc_copy,
    lives._cdc_position,
    lives._cdc_event_id,
    lives._cdc_source_ts,
    lives._cdc_processed_ts,
    lives._cdc_landed_ts,
    lives._cdc_snapshot,
    lives._cdc_unknown,
    lives._cdc_special,
    false as _cdc_is_gone
from (
    select * from lives
) as lives
