{#
  CTE `counted`: the changes that only their ordinal tells apart: equal ones at one place in the log, no transaction order. They are rows of
  a table without a key, or changes of one row to and fro in a compressed transaction of MySQL. While one connector run reads them, each delivery is a row of its own; a later run that reads the place again
  delivers the same rows. So the n-th delivery within any run is the n-th row, and there are as many rows as the run delivered that delivered
  most. (Not: a row is new once n is more than there are staged. An append that was cut off may have left the second row and lost the first.)
  What was delivered before is counted from the change log and from the duplicates in the ledger.

  In:  change_log table; stats and number as for recognised_changes; CTE `repeated`.
  Out: the columns of `repeated`, is_new (whether the row enters the change log), place (the ordinal it then has among equal rows).
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
        and {{ afterimage.has_row() }}
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
            from {{ afterimage.companion_table(change_log, 'ledger') }}
            where outcome = 'duplicate' and batch < {{ number }}
        ) as ledger
        left anti join repeated
            on
                ledger.event = repeated.event
                and ledger.topic = repeated.coordinate._cdc_topic
                and ledger.partition = repeated.coordinate._cdc_partition
                and ledger.offset = repeated.coordinate._cdc_offset
        {%- else %}
        select event_id as event, coalesce(connector_run, '') as connector_run
        from {{ afterimage.companion_table(change_log, 'ledger') }}
        where outcome = 'duplicate' and batch < {{ number }}
        {%- endif %}
    ) as deliveries
    group by event, connector_run
),

numbered as (
    select
        counted_here.*,
        coalesce(staged.copies, unnumbered.copies, 0) as staged_copies,
        coalesce(staged.highest, unnumbered.copies, 0) as highest_ordinal,
        counted_here.ordinal_here + coalesce(delivered.times, 0) as ordinal,
        row_number() over (
            partition by counted_here.event, counted_here.ordinal_here + coalesce(delivered.times, 0), counted_here.is_landed_twice
            order by counted_here.connector_run, counted_here.coordinate
        ) as reading
    from (
        select
            *,
            sum(if(is_landed_twice, 0, 1)) over (
                partition by event, connector_run
                order by coordinate, is_landed_twice
                rows between unbounded preceding and current row
            ) as ordinal_here
        from repeated
        where is_ambiguous
    ) as counted_here
    left join staged on counted_here.event = staged.event
    -- a delivery by a connector that does not tell its runs yet: however often it comes, it is the first of them
    left join (
        select distinct event, 1 as copies from repeated where not is_ambiguous
    ) as unnumbered on counted_here.event = unnumbered.event
    left join delivered on counted_here.event = delivered.event and counted_here.connector_run = delivered.connector_run
),

readings as (
    -- the n-th delivery of the first run that has an n-th; the others, and what landing holds twice, are no rows of their own
    select
        *,
        not is_landed_twice and reading = 1 as is_read,
        row_number() over (partition by event, not is_landed_twice and reading = 1 order by ordinal) as nth_read
    from numbered
),

wanted as (
    -- as many rows as the run delivered that delivered most
    select
        readings.event,
        greatest(max(readings.ordinal), coalesce(max(most.times), 0)) - max(readings.staged_copies) as missing,
        count_if(readings.is_read) as read_here
    from readings
    left join (
        select event, max(times) as times
        from delivered
        group by event
    ) as most on readings.event = most.event
    group by readings.event
),

counted as (
    -- those that are not there yet are the last of this batch
    select
        readings.*,
        readings.is_read and readings.nth_read > wanted.read_here - wanted.missing as is_new,
        readings.highest_ordinal + readings.nth_read - greatest(0, wanted.read_here - wanted.missing) as place
    from readings
    inner join wanted on readings.event = wanted.event
),
{%- endmacro %}
