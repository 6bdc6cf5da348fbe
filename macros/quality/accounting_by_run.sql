{#
  The outcomes of the records that each run of each change log read, counted from the tables themselves (see
  accounting).

  In:  change_logs, list of ref() of the source's change logs.
  Out: a select: source_name, table_name, run, outcome, kind, records, landed_from, landed_until (of those records).
    run      the number of the run's batch in its change log, from 1 on
    outcome  staged, duplicate, ignored, refused. A record that an earlier run refused and this one judged again
             counts here with its new outcome, and is subtracted from its old one: a row of fewer than 0 records.
  So the sums over all runs equal the current accounting(): a retry moves a count and adds none. An interrupted run
  may show a record as subtracted that only the next run staged.
#}
{% macro accounting_by_run(change_logs) -%}
{{ afterimage.refuse_long_view(afterimage._accounting_by_run(change_logs)) if execute }}
{%- endmacro %}


{% macro _accounting_by_run(change_logs) -%}
-- what each run did, made by afterimage.accounting_by_run
with

verdicts as (
    {%- for change_log in change_logs %}
    {%- set contract = afterimage.contract_of_change_log(change_log) %}
    select
        {{ afterimage.literal(contract['source_name']) }} as source_name,
        {{ afterimage.literal(contract['table_name']) }} as table_name,
        _cdc_batch as run,
        'staged' as outcome,
        cast(null as string) as kind,
        cast(null as string) as earlier_outcome,
        cast(null as string) as earlier_kind,
        _cdc_landed_ts as landed_at
    from {{ change_log }}
    where _cdc_topic is not null
    union all
    select
        {{ afterimage.literal(contract['source_name']) }},
        {{ afterimage.literal(contract['table_name']) }},
        batch,
        outcome,
        kind,
        lag(outcome) over (partition by {{ afterimage.ledger_place(change_log) }} order by batch),
        lag(kind) over (partition by {{ afterimage.ledger_place(change_log) }} order by batch),
        landed_at
    from {{ afterimage.companion_table(change_log, 'ledger') }}
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
)

select
    source_name,
    table_name,
    run,
    counted_as as outcome,
    counted_kind as kind,
    sum(records) as records,
    min(landed_at) as landed_from,
    max(landed_at) as landed_until
from verdicts
    -- added under its present outcome, subtracted from its former one
    lateral view stack(2, outcome, kind, 1, earlier_outcome, earlier_kind, -1) as counted_as, counted_kind, records
where counted_as <> 'resolved'
group by source_name, table_name, run, counted_as, counted_kind
having sum(records) <> 0
{%- endmacro %}
