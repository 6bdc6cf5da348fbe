{#
  Law of conservation, run by run: the outcomes of all runs add up to the current accounting.
  Put on a model of accounting_by_run with `accounting: ref('dq_…__accounting')`. Returns the tables, outcomes and
  kinds where they do not.
#}
{% test cdc_runs_add_up(model, accounting) %}
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
    from {{ model }}
    union all
    select source_name, table_name, outcome, kind, 0, records
    from {{ accounting }}
    where table_name is not null and outcome in ('staged', 'duplicate', 'ignored', 'refused')
) as counted
group by source_name, table_name, outcome, kind
having sum(of_runs) <> sum(of_now)
{% endtest %}
