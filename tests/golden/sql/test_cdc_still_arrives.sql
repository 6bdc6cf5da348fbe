select
    max(_cdc_landed_ts) as newest,
    'nothing has landed for more than 24 hours' as failure_reason
from afterimage.stg_shop__carts
having max(_cdc_landed_ts) is null or max(_cdc_landed_ts) < current_timestamp() - interval '24' hour
