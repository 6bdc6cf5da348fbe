select
    source_name,
    table_name,
    row_key,
    position,
    topic,
    partition,
    offset,
    concat('the models show this row as it was before a refused change (', reason, ')') as failure_reason
from afterimage.dq_shop__quarantine
where row_is_behind
