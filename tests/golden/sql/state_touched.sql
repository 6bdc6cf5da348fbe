select
    lives.id,
    lives.owner,
    lives.items,
    lives._cdc_op,
    touched._cdc_key,
    lives._cdc_copy,
    lives._cdc_position,
    lives._cdc_event_id,
    lives._cdc_source_ts,
    lives._cdc_processed_ts,
    lives._cdc_landed_ts,
    lives._cdc_snapshot,
    lives._cdc_unknown,
    lives._cdc_special,
    lives._cdc_key is null as _cdc_is_gone
from (
    select distinct _cdc_key from afterimage.hist_shop__carts__log where _cdc_append > 2 and _cdc_append <= 3
) as touched
left join (
    select * from lives
) as lives
    on touched._cdc_key = lives._cdc_key
