with

by_run as (
    select
        source_name,
        table_name,
        outcome,
        kind,
        sum(records) as records
    from afterimage.dq_shop__runs
    group by source_name, table_name, outcome, kind
),

of_now as (
    select
        source_name,
        table_name,
        outcome,
        kind,
        sum(records) as records
    from afterimage.dq_shop__accounting
    where table_name is not null and outcome in ('staged', 'duplicate', 'ignored', 'refused')
    group by source_name, table_name, outcome, kind
)

select
    coalesce(by_run.source_name, of_now.source_name) as source_name,
    coalesce(by_run.table_name, of_now.table_name) as table_name,
    coalesce(by_run.outcome, of_now.outcome) as outcome,
    coalesce(by_run.kind, of_now.kind) as kind,
    coalesce(by_run.records, 0) as records_by_run,
    coalesce(of_now.records, 0) as records_now,
    'the runs do not add up to what is counted now' as failure_reason
from by_run
full outer join of_now
    on
        by_run.source_name = of_now.source_name
        and by_run.table_name = of_now.table_name
        and by_run.outcome = of_now.outcome
        and by_run.kind <=> of_now.kind
where coalesce(by_run.records, 0) <> coalesce(of_now.records, 0)
