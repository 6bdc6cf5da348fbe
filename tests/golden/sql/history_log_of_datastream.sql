-- rules that hold, each a CTE of its name:
-- truncates: a truncate, or a complete snapshot, may end many rows at once
-- before_after_pairs_joined: an update may be two records, of the row before it and the row after it
-- backfills_placed: a row read by a backfill has no position, and may show what later changes made
-- key_moves_traced: a row may change its key, and keeps the values that are not sent with the change
-- carry_forward: a change may leave out values, which are filled in from the last known ones of the row
with

changes as (
    select * from afterimage.stg_shop__carts
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
        select distinct _cdc_key, '07.1' as _cdc_order from changes where _cdc_key is not null
    ) as new_rows
    group by _cdc_key
),

linked as (
    -- keys that took over values not sent with a key change, and the keys they took them from
    select explode(array(_cdc_key, _cdc_previous_key)) as _cdc_key
    from changes
    where _cdc_op = 'c' and _cdc_previous_key is not null and _cdc_unknown is not null
),

touched as (
    -- values are carried from key to key: a new value of one linked key may affect all
    select *
    from (
        select
            _cdc_key,
            max(is_linked) as is_linked,
            min(min(first_order)) over (partition by max(is_linked), if(max(is_linked), '', _cdc_key)) as first_order
        from (
            select _cdc_key, first_order, false as is_linked from new_changes
            union all
            select _cdc_key, null, true from linked
        ) as seen
        group by _cdc_key
    ) as together
    where first_order is not null
),

touched_changes as (
    select
        known.*,
        touched.first_order as _cdc_first_order,
        touched.is_linked as _cdc_is_linked
    from changes as known
    inner join touched on known._cdc_key = touched._cdc_key
    where known._cdc_key is not null
),

pairs_known as (
    select
        *,
        max(if(_cdc_op = 'u', _cdc_order, null)) over (partition by _cdc_key, _cdc_position) as _cdc_other_record,
        lag(struct(_cdc_op, _cdc_tx_id, _cdc_image_hash)) over (
            partition by _cdc_key order by _cdc_order
        ) as _cdc_moved_in,
        coalesce(_cdc_source_change_type = 'UPDATE-DELETE', false) as _cdc_goes_first,
        array_contains(array(owner is not null, items is not null), true) as _cdc_is_whole
    from touched_changes
),

pairs_touched as (
    select
        * except (_cdc_first_order),
        least(
            _cdc_first_order,
            min(
                if(_cdc_goes_first and _cdc_other_record >= _cdc_first_order, _cdc_order, null)
            ) over (partition by _cdc_key)
        ) as _cdc_first_order
    from pairs_known
),

before_after_pairs_joined as (
    select * except (_cdc_other_record, _cdc_moved_in, _cdc_goes_first, _cdc_is_whole)
    from pairs_touched
    where
        not _cdc_goes_first
        or not (
            _cdc_other_record is not null
            or _cdc_is_whole and coalesce(
                _cdc_moved_in._cdc_op = 'u'
                and _cdc_moved_in._cdc_tx_id = _cdc_tx_id
                and _cdc_moved_in._cdc_image_hash <> _cdc_image_hash,
                false
            )
        )
),

backfills_followed as (
    select
        *,
        if(
            _cdc_snapshot = 'backfill',
            lead(
                struct(_cdc_order, _cdc_position, _cdc_op, _cdc_source_ts, _cdc_snapshot)
            ) over (partition by _cdc_key order by _cdc_order),
            null
        ) as _cdc_follows
    from before_after_pairs_joined
),

backfills_known as (
    -- for rows read more than once: what follows the last read
    select
        * except (_cdc_follows),
        max(if(
            _cdc_follows._cdc_snapshot = 'none'
            and regexp_extract(
                _cdc_follows._cdc_position, '^e[0-9]{4}[.]', 0
            ) = regexp_extract(_cdc_position, '^e[0-9]{4}[.]', 0),
            _cdc_follows,
            null
        )) over (partition by _cdc_key, _cdc_position, _cdc_snapshot) as _cdc_next_change
    from backfills_followed
),

backfills_touched as (
    select
        * except (_cdc_first_order),
        least(
            _cdc_first_order,
            min(if(_cdc_next_change._cdc_order >= _cdc_first_order, _cdc_order, null)) over (partition by _cdc_key)
        ) as _cdc_first_order
    from backfills_known
),

backfills_placed as (
    select
        * except (_cdc_source_ts, _cdc_next_change),
        if(
            _cdc_snapshot = 'backfill', least(_cdc_source_ts, _cdc_next_change._cdc_source_ts), _cdc_source_ts
        ) as _cdc_source_ts
    from backfills_touched
    where not (_cdc_snapshot = 'backfill' and coalesce(_cdc_next_change._cdc_op = 'c', false))
),

key_changes as (
    select
        in_place.*,
        size(filter(truncates.events, t -> t._cdc_order < in_place._cdc_order)) as _cdc_truncates_before
    from backfills_placed as in_place
    cross join truncates
),

neighbours as (
    select
        *,
        lag(_cdc_op) over in_order as _cdc_previous_op,
        lag(_cdc_truncates_before) over in_order as _cdc_previous_truncates,
        lead(_cdc_truncates_before) over in_order as _cdc_next_truncates
    from key_changes
    window
        in_order as (partition by _cdc_key order by _cdc_order)
),

lives as (
    select
        *,
        _cdc_op = 'c'
        or _cdc_previous_op is null
        or _cdc_previous_op in ('d', 'o')
        or _cdc_previous_truncates <> _cdc_truncates_before as _cdc_begins_life
    from neighbours
),

numbered_lives as (
    select
        *,
        count_if(_cdc_begins_life) over (
            partition by _cdc_key order by _cdc_order rows between unbounded preceding and current row
        ) as _cdc_life
    from lives
),

key_moves as (
    -- a life that began with values not sent, and the life of the old key that ended at the same position
    select
        max(if(_cdc_op = 'c', concat(_cdc_key, ' ', _cdc_life), null)) as row_life,
        max(if(_cdc_op = 'd', concat(_cdc_key, ' ', _cdc_life), null)) as first_life
    from numbered_lives
    where _cdc_previous_key is not null and (_cdc_op = 'd' or (_cdc_op = 'c' and _cdc_unknown is not null))
    group by
        _cdc_position, if(_cdc_op = 'c', _cdc_previous_key, _cdc_key), if(_cdc_op = 'c', _cdc_key, _cdc_previous_key)
    having row_life is not null and first_life is not null
),

-- key changes are followed back to a row's first key; each round reaches twice as far
followed_1 as (
    select
        row_life,
        coalesce(life_before, first_life) as first_life
    from (
        select
            *,
            max(if(is_own, first_life, null)) over (partition by met_in) as life_before
        from (
            select
                row_life,
                first_life,
                inline(array(struct(true as is_own, row_life as met_in), struct(false as is_own, first_life as met_in)))
            from key_moves
        ) as twice
    ) as met
    where not is_own
),

followed_2 as (
    select
        row_life,
        coalesce(life_before, first_life) as first_life
    from (
        select
            *,
            max(if(is_own, first_life, null)) over (partition by met_in) as life_before
        from (
            select
                row_life,
                first_life,
                inline(array(struct(true as is_own, row_life as met_in), struct(false as is_own, first_life as met_in)))
            from followed_1
        ) as twice
    ) as met
    where not is_own
),

followed_3 as (
    select
        row_life,
        coalesce(life_before, first_life) as first_life
    from (
        select
            *,
            max(if(is_own, first_life, null)) over (partition by met_in) as life_before
        from (
            select
                row_life,
                first_life,
                inline(array(struct(true as is_own, row_life as met_in), struct(false as is_own, first_life as met_in)))
            from followed_2
        ) as twice
    ) as met
    where not is_own
),

followed_4 as (
    select
        row_life,
        coalesce(life_before, first_life) as first_life
    from (
        select
            *,
            max(if(is_own, first_life, null)) over (partition by met_in) as life_before
        from (
            select
                row_life,
                first_life,
                inline(array(struct(true as is_own, row_life as met_in), struct(false as is_own, first_life as met_in)))
            from followed_3
        ) as twice
    ) as met
    where not is_own
),

followed_5 as (
    select
        row_life,
        coalesce(life_before, first_life) as first_life
    from (
        select
            *,
            max(if(is_own, first_life, null)) over (partition by met_in) as life_before
        from (
            select
                row_life,
                first_life,
                inline(array(struct(true as is_own, row_life as met_in), struct(false as is_own, first_life as met_in)))
            from followed_4
        ) as twice
    ) as met
    where not is_own
),

followed_6 as (
    select
        row_life,
        coalesce(life_before, first_life) as first_life
    from (
        select
            *,
            max(if(is_own, first_life, null)) over (partition by met_in) as life_before
        from (
            select
                row_life,
                first_life,
                inline(array(struct(true as is_own, row_life as met_in), struct(false as is_own, first_life as met_in)))
            from followed_5
        ) as twice
    ) as met
    where not is_own
),

key_moves_traced as (
    select
        numbered_lives.*,
        coalesce(
            lineage.first_life, concat(numbered_lives._cdc_key, ' ', numbered_lives._cdc_life)
        ) as _cdc_row_of_source
    from numbered_lives
    left join followed_6 as lineage on concat(numbered_lives._cdc_key, ' ', numbered_lives._cdc_life) = lineage.row_life
),

last_known as (
    select
        * except (_cdc_row_of_source, _cdc_life),
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(contains(_cdc_unknown, '["owner"') or contains(_cdc_unknown, ',"owner"'), false)
                    or coalesce(contains(_cdc_absent, '["owner"') or contains(_cdc_absent, ',"owner"'), false)
                ),
                named_struct(
                    'value',
                    owner,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["owner"') or contains(_cdc_unknown, ',"owner"'), false)
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last owner`,
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(contains(_cdc_unknown, '["items"') or contains(_cdc_unknown, ',"items"'), false)
                    or coalesce(contains(_cdc_absent, '["items"') or contains(_cdc_absent, ',"items"'), false)
                ),
                named_struct(
                    'value',
                    items,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["items"') or contains(_cdc_unknown, ',"items"'), false)
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last items`
    from key_moves_traced
    window so_far as (
        partition by _cdc_row_of_source order by _cdc_order rows between unbounded preceding and current row
    )
),

carry_forward as (
    select
        id,
        if(_cdc_op in ('d', 'o'), owner, `_cdc_last owner`.value) as owner,
        if(_cdc_op in ('d', 'o'), items, `_cdc_last items`.value) as items,
        case
            when _cdc_unknown is not null
                then
                    nullif(
                        concat(
                            '[',
                            concat_ws(
                                ',',
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["owner"') or contains(_cdc_unknown, ',"owner"'), false
                                    )
                                    and coalesce(`_cdc_last owner`.is_unknown, true),
                                    '"owner"',
                                    null
                                ),
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["items"') or contains(_cdc_unknown, ',"items"'), false
                                    )
                                    and coalesce(`_cdc_last items`.is_unknown, true),
                                    '"items"',
                                    null
                                )
                            ),
                            ']'
                        ),
                        '[]'
                    )
        end as _cdc_unknown,
        _cdc_special as _cdc_special,
        last_known.* except (
            _cdc_unknown, _cdc_special, id, owner, items, `_cdc_last owner`, `_cdc_last items`
        )
    from last_known
),

hashed as (
    select
        *,
        xxhash64(
            id,
            isnull(id),
            owner,
            isnull(owner),
            items,
            isnull(items),
            coalesce(_cdc_unknown, ''),
            coalesce(_cdc_special, '')
        ) as _cdc_filled_hash
    from carry_forward
),

classified as (
    select
        *,
        case
            when _cdc_op in ('d', 'o') then 'end'
            when not _cdc_begins_life and lag(_cdc_filled_hash) over in_order = _cdc_filled_hash then 'void'
            else 'version'
        end as _cdc_kind
    from hashed
    window in_order as (partition by _cdc_key order by _cdc_order)
),

cut as (
    -- one more row where a truncate ends an existing row
    select *
    from (
        select
            classified.*,
            get(truncates.events, classified._cdc_truncates_before) as _cdc_by_truncate
        from classified
        cross join truncates
    ) as before_truncate
        lateral view explode(if(
            _cdc_op not in ('d', 'o')
            and _cdc_by_truncate is not null
            and (_cdc_next_truncates is null or _cdc_next_truncates > _cdc_truncates_before),
            array(false, true),
            array(false)
        )) as _cdc_is_cut
),

places as (
    select
        id,
        if(_cdc_is_cut, null, owner) as owner,
        if(_cdc_is_cut, null, items) as items,
        if(_cdc_is_cut, 'end', _cdc_kind) as _cdc_kind,
        case
            when _cdc_is_cut then 'truncate'
            when _cdc_kind <> 'end' then null
            when _cdc_op = 'o' then 'operator'
            when _cdc_source_change_type = 'UPDATE-DELETE' then 'key change'
            when _cdc_previous_key is null then 'delete'
            else 'key change'
        end as _cdc_end_reason,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_op, _cdc_op) as _cdc_op,
        _cdc_key,
        cast(null as bigint) as _cdc_copy,
        if(_cdc_is_cut, cast(null as string), _cdc_previous_key) as _cdc_previous_key,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_position, _cdc_position) as _cdc_position,
        if(_cdc_is_cut, _cdc_by_truncate._cdc_order, _cdc_order) as _cdc_order,
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
            partition by _cdc_key order by _cdc_order rows between unbounded preceding and current row
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
    window in_order as (partition by _cdc_key order by _cdc_order)
)

select
    id,
    owner,
    items,
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
