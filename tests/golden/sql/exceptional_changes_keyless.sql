with

accepted as (
    select
        _cdc_batch_row,
        _cdc_event_id,
        _cdc_event_id as event,
        struct(_cdc_topic, _cdc_partition, _cdc_offset) as coordinate,
        _cdc_tx_order is null and _cdc_op not in ('t', 'o') as is_ambiguous,
        coalesce(_cdc_connector_run, '') as connector_run
    from afterimage.stg_shop__carts__batch
    where _cdc_outcome = 'accepted'
),

staged_events as (
    select if(_cdc_op not in ('t', 'o'), substring_index(_cdc_event_id, ':', 4), _cdc_event_id) as event
    from afterimage.stg_shop__carts
    where
        _cdc_position between '01' and '09'
        and if(
            _cdc_op not in ('t', 'o'), substring_index(_cdc_event_id, ':', 4), _cdc_event_id
        ) in (select accepted.event from accepted)
),

repeated_hashes as (
    -- narrow: only the hashes of all events are sorted
    select event_hash
    from (
        select xxhash64(event) as event_hash
        from accepted
        union all
        select xxhash64(event)
        from staged_events
    ) as hashes
    group by event_hash
    having count(*) > 1
),

may_repeat as (
    select accepted.*
    from accepted
    left semi join repeated_hashes on xxhash64(accepted.event) = repeated_hashes.event_hash
),

repeated as (
    -- two events may share a hash: one that is alone here is new
    select
        may_repeat.*,
        staged.event is not null as is_staged,
        row_number() over (
            partition by may_repeat.event, may_repeat.is_ambiguous
            order by may_repeat.coordinate, may_repeat._cdc_batch_row
        ) as place_in_event,
        coalesce(may_repeat.coordinate = lag(may_repeat.coordinate) over within_event, false) as is_landed_twice,
        bool_or(not may_repeat.is_ambiguous) over (partition by may_repeat.event) as has_unnumbered
    from may_repeat
    left join (select distinct event from staged_events) as staged on may_repeat.event = staged.event
    window within_event as (partition by may_repeat.event order by may_repeat.coordinate, may_repeat._cdc_batch_row)
),

staged_copies as (
    select
        substring_index(_cdc_event_id, ':', 4) as event,
        coalesce(_cdc_connector_run, '') as connector_run,
        coalesce(cast(get(split(_cdc_event_id, ':'), 4) as int), 1) as ordinal
    from afterimage.stg_shop__carts
    where
        _cdc_tx_order is null
        and _cdc_op not in ('t', 'o')
        and _cdc_position between '01' and '09'
),

deliveries as (
    select event, connector_run, ordinal from staged_copies
    union all
    select event_id as event, coalesce(connector_run, '') as connector_run, null as ordinal
    from afterimage.stg_shop__carts__ledger
    where outcome = 'duplicate' and batch < 4
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
        counted_here.ordinal_here + coalesce(
            try_element_at(delivered.times_by_run, counted_here.connector_run), 0
        ) as ordinal
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

-- a change that its event id identifies
select
    _cdc_batch_row,
    cast(null as string) as _cdc_event_id,
    if(is_landed_twice, 0, 2) as _cdc_delivery
from repeated
where
    (is_landed_twice or is_staged or place_in_event > 1)
    and not is_ambiguous
union all
-- one of several equal rows; the first keeps its id, so that it stays the same if the others arrive in a later run
select
    _cdc_batch_row,
    if(is_new and place > 1, concat(_cdc_event_id, ':', place), null),
    case
        when is_landed_twice then 0
        when is_new then 1
        else 2
    end
from counted
where is_landed_twice or not is_new or place > 1
