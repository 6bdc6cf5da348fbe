-- rules that hold, each a CTE of its name:
-- truncates: a truncate, or a complete snapshot, may end many rows at once
-- steps_behind_reads: a snapshot does not count a change before it that was committed after it was read
with

changes as (
    select * from afterimage.stg_shop__stock_slots
    where _cdc_batch <= 4
),

truncates as (
    -- one row, from which each change counts the truncates (and other table-wide changes) before it
    select
        coalesce(array_sort(collect_list(struct(
            _cdc_order,
            _cdc_op,
            _cdc_event_id,
            _cdc_position,
            _cdc_source_ts,
            _cdc_source_ts_ns,
            _cdc_processed_ts,
            _cdc_landed_ts,
            _cdc_source_table, _cdc_tx_id, _cdc_tx_order, _cdc_batch
        ))), array()) as events
    from changes
    where (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%')))
),

new_changes as (
    select _cdc_key, min(_cdc_order) as first_order
    from (
        select _cdc_key, _cdc_order
        from changes where _cdc_batch > 3 and _cdc_key is not null
        union all
        select _cdc_previous_key as _cdc_key, _cdc_order from changes where _cdc_batch > 3 and _cdc_op = 'u'
        union all
        select distinct _cdc_key, '07.1' as _cdc_order from changes where _cdc_key is not null
    ) as new_rows
    group by _cdc_key
),

touched as (
    select _cdc_key, first_order, false as is_linked from new_changes
),

steps as (
    -- a change removes a row before it adds one; an update that changes nothing shows, like a read, that the row exists
    select
        *,
        _cdc_key as _cdc_row_key,
        concat(_cdc_order, '.1') as _cdc_step_order,
        if(_cdc_op = 'r' or (_cdc_op = 'u' and _cdc_previous_key <=> _cdc_key), 0, 1) as _cdc_added,
        case
            when _cdc_op = 'r'
                then row_number() over (partition by _cdc_op, _cdc_position, _cdc_key order by _cdc_order)
            when _cdc_op = 'u' and _cdc_previous_key <=> _cdc_key then 1
            else 0
        end as _cdc_observed
    from changes
    where _cdc_op in ('c', 'r', 'u')
    union all
    select
        *,
        if(_cdc_op = 'u', _cdc_previous_key, _cdc_key) as _cdc_row_key,
        concat(_cdc_order, '.0') as _cdc_step_order,
        -1 as _cdc_added,
        0 as _cdc_observed
    from changes
    where _cdc_op = 'd' or (_cdc_op = 'u' and not _cdc_previous_key <=> _cdc_key)
),

touched_steps as (
    select
        steps.*,
        touched.first_order as _cdc_first_order,
        steps._cdc_batch <= 3 as _cdc_is_applied
    from steps
    inner join touched on steps._cdc_row_key = touched._cdc_key
),

read_steps as (
    select
        *,
        collect_set(if(_cdc_op = 'r', _cdc_position, null)) over (partition by _cdc_row_key) as _cdc_read_at,
        collect_set(
            if(_cdc_op = 'r' and not _cdc_is_applied, _cdc_position, null)
        ) over (partition by _cdc_row_key) as _cdc_newly_read_at
    from touched_steps
),

unseen_steps as (
    -- the snapshots that do not include the step although it was first placed before them
    select
        * except (_cdc_read_at, _cdc_newly_read_at),
        if(
            _cdc_op <> 'r' and _cdc_committed_after > _cdc_position,
            filter(_cdc_read_at, p -> p > _cdc_position and p <= _cdc_committed_after),
            array()
        ) as _cdc_not_shown_at,
        not _cdc_is_applied
        or exists(_cdc_newly_read_at, p -> p > _cdc_position and p <= _cdc_committed_after) as _cdc_is_news
    from read_steps
),

steps_behind_reads as (
    select
        * except (_cdc_position, _cdc_step_order, _cdc_first_order, _cdc_not_shown_at, _cdc_is_news),
        coalesce(array_max(_cdc_not_shown_at), _cdc_position) as _cdc_position,
        coalesce(
            concat(array_max(_cdc_not_shown_at), substr(_cdc_step_order, length(_cdc_position) + 1)), _cdc_step_order
        ) as _cdc_step_order,
        least(
            _cdc_first_order,
            min(
                if(size(_cdc_not_shown_at) > 0 and _cdc_is_news, _cdc_step_order, null)
            ) over (partition by _cdc_row_key)
        ) as _cdc_first_order
    from unseen_steps
),

row_steps as (
    select
        in_place.*,
        size(filter(truncates.events, t -> t._cdc_order < in_place._cdc_step_order)) as _cdc_truncates_before
    from steps_behind_reads as in_place
    cross join truncates
),

summed as (
    select
        *,
        sum(_cdc_added) over so_far as _cdc_sum
    from row_steps
    window so_far as (
        partition by _cdc_row_key, _cdc_truncates_before
        order by _cdc_step_order
        rows between unbounded preceding and current row
    )
),

counted as (
    -- copies after a step: those added since the count was last certain, by an observation or by reaching zero
    select
        *,
        _cdc_sum + greatest(0, max(_cdc_observed - _cdc_sum) over (
            partition by _cdc_row_key, _cdc_truncates_before
            order by _cdc_step_order
            rows between unbounded preceding and current row
        )) as _cdc_copies
    from summed
),

with_copies_before as (
    select
        *,
        lag(_cdc_copies, 1, 0) over in_order as _cdc_copies_before,
        lead(_cdc_step_order) over in_order is null as _cdc_is_last
    from counted
    window in_order as (partition by _cdc_row_key, _cdc_truncates_before order by _cdc_step_order)
),

cut as (
    -- one more row for each copy that existed when the table was truncated
    select
        *,
        _cdc_one_copy > 0 as _cdc_is_cut
    from (
        select
            with_copies_before.*,
            get(truncates.events, with_copies_before._cdc_truncates_before) as _cdc_by_truncate
        from with_copies_before
        cross join truncates
    ) as before_truncate
        lateral view explode(
            sequence(0L, if(_cdc_is_last and _cdc_by_truncate is not null, _cdc_copies, 0L))
        ) as _cdc_one_copy
),

places as (
    select
        if(_cdc_added >= 0 and not _cdc_is_cut, id, null) as id,
        if(_cdc_added >= 0 and not _cdc_is_cut, label, null) as label,
        if(_cdc_added >= 0 and not _cdc_is_cut, qty, null) as qty,
        case
            when _cdc_is_cut or _cdc_copies < _cdc_copies_before then 'end'
            when _cdc_copies > _cdc_copies_before then 'version'
            else 'void'
        end as _cdc_kind,
        case
            when _cdc_is_cut then 'truncate'
            when _cdc_copies < _cdc_copies_before then if(_cdc_op = 'u', 'update', 'delete')
        end as _cdc_end_reason,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_op, _cdc_op) as _cdc_op,
        _cdc_row_key as _cdc_key,
        if(_cdc_is_cut, _cdc_one_copy, greatest(_cdc_copies, _cdc_copies_before)) as _cdc_copy,
        cast(null as string) as _cdc_previous_key,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_position, _cdc_position) as _cdc_position,
        if(
            _cdc_is_cut,
            concat(_cdc_by_truncate._cdc_order, '.', lpad(cast(_cdc_one_copy as string), 10, '0')),
            _cdc_step_order
        ) as _cdc_order,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_event_id, _cdc_event_id) as _cdc_event_id,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_source_ts, _cdc_source_ts) as _cdc_source_ts,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_source_ts_ns, _cdc_source_ts_ns) as _cdc_source_ts_ns,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_processed_ts, _cdc_processed_ts) as _cdc_processed_ts,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_landed_ts, _cdc_landed_ts) as _cdc_landed_ts,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_tx_id, _cdc_tx_id) as _cdc_tx_id,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_tx_order, _cdc_tx_order) as _cdc_tx_order,
        if(_cdc_is_cut, 'none', _cdc_snapshot) as _cdc_snapshot,
        if(_cdc_is_cut, cast(null as string), _cdc_unknown) as _cdc_unknown,
        if(_cdc_is_cut, cast(null as string), _cdc_special) as _cdc_special,
        if(_cdc_is_cut, greatest(_cdc_batch, _cdc_by_truncate._cdc_batch), _cdc_batch) as _cdc_batch,
        _cdc_first_order
    from cut
),

explained as (
    select
        *,
        -- why the preceding version ended; a create without a key change or delete before it means that the delete was not delivered
        case
            when _cdc_kind = 'end' then _cdc_end_reason
            when _cdc_op <> 'c' then 'update'
            when _cdc_previous_key is not null then 'key change'
            else 'delete'
        end as _cdc_ends_before
    from places
),

bounded as (
    select
        *,
        max(if(_cdc_kind in ('version', 'end'), _cdc_source_ts, null)) over (
            partition by _cdc_key, _cdc_copy order by _cdc_order rows between unbounded preceding and current row
        ) as _cdc_place_ts,
        lead(if(
            _cdc_kind in ('version', 'end'),
            named_struct(
                'the_order',
                _cdc_order,
                'position',
                _cdc_position,
                'source_ts',
                _cdc_source_ts,
                'reason',
                _cdc_ends_before
            ),
            null
        )) ignore nulls over in_order as _cdc_next,
        lead(_cdc_kind) over in_order is null as _cdc_is_last
    from explained
    window in_order as (partition by _cdc_key, _cdc_copy order by _cdc_order)
)

select
    id,
    label,
    qty,
    _cdc_place_ts as valid_from,
    if(_cdc_next is null, null, greatest(_cdc_place_ts, _cdc_next.source_ts)) as valid_to,
    _cdc_next is null as is_current,
    _cdc_op,
    _cdc_key,
    _cdc_copy,
    _cdc_previous_key,
    _cdc_position,
    _cdc_order,
    _cdc_next.position as _cdc_end_position,
    _cdc_next.reason as _cdc_end_reason,
    _cdc_event_id,
    _cdc_source_ts,
    _cdc_source_ts_ns,
    _cdc_processed_ts,
    _cdc_landed_ts,
    _cdc_tx_id,
    _cdc_tx_order,
    _cdc_snapshot,
    _cdc_unknown,
    _cdc_special,
    _cdc_batch,
    _cdc_kind,
    _cdc_next.the_order as _cdc_end_order,
    if(_cdc_is_last, _cdc_first_order, null) as _cdc_replaces_from
from bounded
where
    _cdc_kind = 'version' and (_cdc_next is null or _cdc_next.the_order >= _cdc_first_order)
    or _cdc_is_last
