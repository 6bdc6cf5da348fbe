select
    *,
    not is_current as _cdc_is_deleted,
    valid_to as _cdc_deleted_ts,
    row_number() over (partition by _cdc_key order by _cdc_order desc) as _cdc_recency
from afterimage.hist_shop__carts
where 1 = 1
