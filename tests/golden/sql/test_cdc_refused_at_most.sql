select
    refused.table_name,
    refused.reason,
    count(*) as refused,
    'more than 0 refused records stand' as failure_reason
from afterimage.dq_shop__quarantine as refused
where (select count(*) from afterimage.dq_shop__quarantine) > 0
group by refused.table_name, refused.reason
