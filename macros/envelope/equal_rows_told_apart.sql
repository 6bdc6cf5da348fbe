{#
  CTE `counted`: the changes that only their ordinal tells apart: equal ones at one place in the log, no transaction order. They are rows of
  a table without a key, or changes of one row to and fro in a compressed transaction of MySQL. While one connector run reads them, each delivery is a row of its own; a later run that reads the place again
  delivers the same rows. So the n-th delivery within any run is the n-th row, and a row is new once n is more than there are staged.
  What was delivered before is counted from the change log and from the duplicates in the ledger.

  In:  change_log table; stats and number as for recognised_changes; CTE `repeated`.
  Out: the columns of `repeated`, ordinal (n), staged_copies, highest_ordinal (of the staged), reading (1 for the first run with this n).
#}
{% macro equal_rows_told_apart(change_log, stats, number) -%}
{% set epochs = afterimage.epochs_of(change_log) -%}
staged_copies as (
    select
        substring_index({{ afterimage.in_epoch('_cdc_event_id', '_cdc_landed_ts', epochs) }}, ':', 4) as event,
        coalesce(_cdc_connector_run, '') as connector_run,
        coalesce(cast(get(split(_cdc_event_id, ':'), 4) as int), 1) as ordinal
    from {{ change_log }}
    where
        _cdc_tx_order is null
        and _cdc_op not in ('t', 'o')
        and _cdc_position between '{{ stats[3] }}' and '{{ stats[4] }}'
),

staged as (
    select event, count(*) as copies, max(ordinal) as highest
    from staged_copies
    group by event
),

delivered as (
    select event, connector_run, count(*) as times
    from (
        select event, connector_run from staged_copies
        union all
        {%- if epochs %}
        -- one that was judged again, because its epoch was declared since, counts once; in this batch, not at all
        select event, connector_run
        from (
            select distinct
                {{ afterimage.in_epoch('event_id', 'landed_at', epochs) }} as event,
                coalesce(connector_run, '') as connector_run,
                topic,
                partition,
                offset
            from {{ afterimage.beside(change_log, 'ledger') }}
            where outcome = 'duplicate' and batch < {{ number }}
        ) as ledger
        left anti join repeated
            on
                ledger.event = repeated.event
                and ledger.topic = repeated._cdc_topic
                and ledger.partition = repeated._cdc_partition
                and ledger.offset = repeated._cdc_offset
        {%- else %}
        select event_id as event, coalesce(connector_run, '') as connector_run
        from {{ afterimage.beside(change_log, 'ledger') }}
        where outcome = 'duplicate' and batch < {{ number }}
        {%- endif %}
    ) as deliveries
    group by event, connector_run
),

counted as (
    select
        numbered.*,
        coalesce(staged.copies, 0) as staged_copies,
        coalesce(staged.highest, 0) as highest_ordinal,
        numbered.ordinal_here + coalesce(delivered.times, 0) as ordinal,
        row_number() over (
            partition by numbered.event, numbered.ordinal_here + coalesce(delivered.times, 0), numbered.landed_copy
            order by numbered.connector_run, numbered._cdc_topic, numbered._cdc_partition, numbered._cdc_offset
        ) as reading
    from (
        select
            *,
            sum(if(landed_copy = 1, 1, 0)) over (
                partition by event, connector_run
                order by _cdc_topic, _cdc_partition, _cdc_offset, landed_copy
                rows between unbounded preceding and current row
            ) as ordinal_here
        from repeated
        where is_ambiguous
    ) as numbered
    left join staged on numbered.event = staged.event
    left join delivered on numbered.event = delivered.event and numbered.connector_run = delivered.connector_run
),
{%- endmacro %}
