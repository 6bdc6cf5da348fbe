select
    _cdc_key,
    concat('', _cdc_order) as place,
    count(*) as changes,
    'two changes of one key at one place' as failure_reason
from afterimage.stg_shop__carts
where _cdc_order is not null
group by _cdc_key, concat('', _cdc_order)
having count(*) > 1
union all
select min(_cdc_key), concat('', _cdc_event_id), count(*), 'one change staged more than once'
from afterimage.stg_shop__carts
group by concat('', _cdc_event_id)
having count(*) > 1
