select
    table_name,
    column_name,
    drift,
    reported,
    declared,
    contract_change,
    concat('contract and stream do not fit: ', drift) as failure_reason
from afterimage.stg_shop__carts
where drift in ('not declared', 'type differs', 'key differs', 'table gone')
