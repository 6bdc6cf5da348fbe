with

standing as (
    select count(*) as records from afterimage.dq_shop__quarantine
)

select
    refused.table_name,
    refused.reason,
    count(*) as refused,
    'more than 0 refused records stand' as failure_reason
from afterimage.dq_shop__quarantine as refused
cross join standing
where standing.records > 0
group by refused.table_name, refused.reason
