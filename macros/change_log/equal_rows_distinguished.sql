{#
  CTE `counted`: the changes that only their ordinal distinguishes, equal ones at one position without a transaction order; one row per delivery.
  They are rows of a table without a key, or repeated changes of one row, back and forth, in a compressed transaction of MySQL.
  Within one connector run, each delivery is a row of its own; a later run that reads the position again delivers the same rows. So the n-th
  delivery within any run is the n-th row, and there are as many rows as the run with the most deliveries delivered. (The rule is not "a row is
  new once n exceeds the staged count": an append that was cut off may have left the second row and lost the first.)
  Earlier deliveries are counted from the change log and from the duplicates in the ledger.

  In:  change_log table; accepted and number as for recognised_changes; CTE `repeated`.
  Out: the columns of `repeated`, is_new (whether the row enters the change log), place (the ordinal it then has among equal rows).
#}
{% macro equal_rows_distinguished(change_log, accepted, number) -%}
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
        and _cdc_position between '{{ accepted['lowest'] }}' and '{{ accepted['highest'] }}'
),

deliveries as (
    select event, connector_run, ordinal from staged_copies
    union all
    {%- if epochs %}
    -- one judged again because its epoch was declared meanwhile counts once, and not in this batch
    select event, connector_run, null as ordinal
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
    select event_id as event, coalesce(connector_run, '') as connector_run, null as ordinal
    from {{ afterimage.companion_table(change_log, 'ledger') }}
    where outcome = 'duplicate' and batch < {{ number }}
    {%- endif %}
),

delivered as (
    -- per event: how often each connector run delivered it, and which of its rows the change log has
    select
        event,
        map_from_entries(collect_list(struct(connector_run, times))) as times_by_run,
        max(times) as most_times,
        nullif(sum(copies), 0) as copies,
        max(highest_ordinal) as highest_ordinal
    from (
        select
            event,
            connector_run,
            count(*) as times,
            count(ordinal) as copies,
            max(ordinal) as highest_ordinal
        from deliveries
        group by event, connector_run
    ) as of_runs
    group by event
),

numbered as (
    select
        counted_here.*,
        -- a delivery by a connector version without run markers: each of them counts as the first
        coalesce(delivered.copies, cast(counted_here.has_unnumbered as int)) as staged_copies,
        coalesce(delivered.highest_ordinal, cast(counted_here.has_unnumbered as int)) as highest_ordinal,
        coalesce(delivered.most_times, 0) as most_times,
        counted_here.ordinal_here + coalesce(try_element_at(delivered.times_by_run, counted_here.connector_run), 0) as ordinal
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
    left join delivered on counted_here.event = delivered.event
),

readings as (
    -- the n-th delivery of the first run that has one; other runs' deliveries are not separate rows
    select
        *,
        not is_landed_twice and row_number() over (
            partition by event, ordinal, is_landed_twice order by connector_run, coordinate
        ) = 1 as is_read
    from numbered
),

wanted as (
    -- as many rows as the largest delivery of one run
    select
        *,
        row_number() over (partition by event, is_read order by ordinal) as nth_read,
        count_if(is_read) over of_event as read_here,
        greatest(max(ordinal) over of_event, most_times) - staged_copies as missing
    from readings
    window of_event as (partition by event)
),

counted as (
    -- rows not yet staged are the last ones of this batch
    select
        *,
        is_read and nth_read > read_here - missing as is_new,
        highest_ordinal + nth_read - greatest(0, read_here - missing) as place
    from wanted
)
{%- endmacro %}
