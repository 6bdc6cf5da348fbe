select
    source_name,
    table_name,
    outcome,
    kind,
    sum(of_runs) as records_by_run,
    sum(of_now) as records_now,
    'the runs do not add up to what is counted now' as failure_reason
from (
    select source_name, table_name, outcome, kind, records as of_runs, 0 as of_now
    from afterimage.dq_shop__runs
    union all
    select source_name, table_name, outcome, kind, 0, records
    from afterimage.dq_shop__accounting
    where table_name is not null and outcome in ('staged', 'duplicate', 'ignored', 'refused')
) as counted
group by source_name, table_name, outcome, kind
having sum(of_runs) <> sum(of_now)
