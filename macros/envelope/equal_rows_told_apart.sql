{#
  CTE `counted`: the changes that only their ordinal tells apart: equal ones at one place in the log, no transaction order. They are rows of
  a table without a key, or changes of one row to and fro in a compressed transaction of MySQL. While one connector run reads them, each delivery is a row of its own; a later run that reads the place again
  delivers the same rows. So the n-th delivery within any run is the n-th row, and a row is new once n is more than there are staged.
  What was delivered before is counted from the change log and from the duplicates in the ledger.

  In:  change_log table; stats and number as for recognised_changes; CTE `accepted`.
  Out: the columns of `accepted`, ordinal (n), staged_copies, highest_ordinal (of the staged), reading (1 for the first run with this n).
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
        and _cdc_position between '{{ stats[4] }}' and '{{ stats[5] }}'
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
        left anti join accepted
            on
                ledger.event = accepted.event
                and ledger.topic = accepted._cdc_topic
                and ledger.partition = accepted._cdc_partition
                and ledger.offset = accepted._cdc_offset
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
        accepted.*,
        coalesce(staged.copies, 0) as staged_copies,
        coalesce(staged.highest, 0) as highest_ordinal,
        accepted.ordinal_here + coalesce(delivered.times, 0) as ordinal,
        row_number() over (
            partition by accepted.event, accepted.ordinal_here + coalesce(delivered.times, 0), accepted.landed_copy
            order by accepted.connector_run, accepted._cdc_topic, accepted._cdc_partition, accepted._cdc_offset
        ) as reading
    from (
        select
            *,
            sum(if(landed_copy = 1, 1, 0)) over (
                partition by event, connector_run
                order by _cdc_topic, _cdc_partition, _cdc_offset, landed_copy
                rows between unbounded preceding and current row
            ) as ordinal_here
        from accepted
        where is_ambiguous
    ) as accepted
    left join staged on accepted.event = staged.event
    left join delivered on accepted.event = delivered.event and accepted.connector_run = delivered.connector_run
),
{%- endmacro %}
