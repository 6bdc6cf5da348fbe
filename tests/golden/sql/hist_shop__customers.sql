-- history of shop.customers, made by afterimage.history
-- rules that hold, each a CTE of its name:
-- key_change_pairs_linked: a key change may be a delete and a create that do not name each other, at one position
-- truncates: a truncate, or a complete snapshot, may end many rows at once
-- snapshot_rows_placed: a snapshot row may be older than a change before it, committed after it was read
-- key_moves_traced: a row may change its key, and keeps the values that are not sent with the change
-- carry_forward: a change may leave out values, which are filled in from the last known ones of the row
with

changes as (
    select * from afterimage.stg_shop__customers
),

halves as (
    select
        _cdc_position,
        _cdc_source_table,
        max(if(_cdc_op = 'd', _cdc_key, null)) as from_key,
        max(if(_cdc_op = 'c', _cdc_key, null)) as to_key
    from changes
    where _cdc_op in ('c', 'd')
    group by _cdc_position, _cdc_source_table
    having count(*) = 2 and from_key <> to_key
),

key_change_pairs_linked as (
    select
        unlinked.* except (_cdc_previous_key),
        coalesce(
            unlinked._cdc_previous_key,
            case unlinked._cdc_op when 'c' then halves.from_key when 'd' then halves.to_key end
        ) as _cdc_previous_key
    from changes as unlinked
    left join halves
        on unlinked._cdc_position = halves._cdc_position
            and unlinked._cdc_source_table <=> halves._cdc_source_table
            and unlinked._cdc_op in ('c', 'd')
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
    from key_change_pairs_linked
    where (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%')))
),

touched_changes as (
    select
        known.*,
        '' as _cdc_first_order,
        false as _cdc_is_linked
    from key_change_pairs_linked as known
    where known._cdc_key is not null
),

open_changes_known as (
    -- a snapshot does not see changes that were open when it was read and committed later: its row comes before the first of them
    select
        *,
        collect_list(
            if(_cdc_committed_after > _cdc_position, struct(_cdc_order, _cdc_position, _cdc_committed_after), null)
        ) over (
            partition by _cdc_key
        ) as _cdc_open_changes
    from touched_changes
),

superseded as (
    select
        * except (_cdc_open_changes),
        if(
            _cdc_snapshot <> 'none' and _cdc_op = 'r',
            array_min(
                filter(
                    _cdc_open_changes, o -> o._cdc_position < _cdc_position and o._cdc_committed_after >= _cdc_position
                )
            ),
            null
        ) as _cdc_superseded_by
    from open_changes_known
),

snapshot_rows_placed as (
    select
        * except (_cdc_position, _cdc_order, _cdc_first_order, _cdc_superseded_by),
        coalesce(_cdc_superseded_by._cdc_position, _cdc_position) as _cdc_position,
        coalesce(
            concat(_cdc_superseded_by._cdc_position, substr(_cdc_order, length(_cdc_position) + 1)), _cdc_order
        ) as _cdc_order,
        least(_cdc_first_order, min(concat(_cdc_superseded_by._cdc_position, substr(_cdc_order, length(_cdc_position) + 1))) over (
            partition by _cdc_is_linked, if(_cdc_is_linked, '', _cdc_key)
        )) as _cdc_first_order,
        _cdc_position as _cdc_read_position
    from superseded
),

key_changes as (
    select
        in_place.*,
        size(filter(truncates.events, t -> t._cdc_order < in_place._cdc_order)) as _cdc_truncates_before
    from snapshot_rows_placed as in_place
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
                    not coalesce(contains(_cdc_unknown, '["email"') or contains(_cdc_unknown, ',"email"'), false)
                    or coalesce(contains(_cdc_absent, '["email"') or contains(_cdc_absent, ',"email"'), false)
                ),
                named_struct(
                    'value',
                    email,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["email"') or contains(_cdc_unknown, ',"email"'), false)
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last email`,
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(
                        contains(_cdc_unknown, '["full_name"') or contains(_cdc_unknown, ',"full_name"'), false
                    )
                    or coalesce(contains(_cdc_absent, '["full_name"') or contains(_cdc_absent, ',"full_name"'), false)
                ),
                named_struct(
                    'value',
                    full_name,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["full_name"') or contains(_cdc_unknown, ',"full_name"'), false)
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last full_name`,
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(contains(_cdc_unknown, '["tier"') or contains(_cdc_unknown, ',"tier"'), false)
                    or coalesce(contains(_cdc_absent, '["tier"') or contains(_cdc_absent, ',"tier"'), false)
                ),
                named_struct(
                    'value',
                    tier,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["tier"') or contains(_cdc_unknown, ',"tier"'), false)
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last tier`,
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(
                        contains(_cdc_unknown, '["is_active"') or contains(_cdc_unknown, ',"is_active"'), false
                    )
                    or coalesce(contains(_cdc_absent, '["is_active"') or contains(_cdc_absent, ',"is_active"'), false)
                ),
                named_struct(
                    'value',
                    is_active,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["is_active"') or contains(_cdc_unknown, ',"is_active"'), false)
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last is_active`,
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(
                        contains(_cdc_unknown, '["birth_date"') or contains(_cdc_unknown, ',"birth_date"'), false
                    )
                    or coalesce(contains(_cdc_absent, '["birth_date"') or contains(_cdc_absent, ',"birth_date"'), false)
                ),
                named_struct(
                    'value',
                    birth_date,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["birth_date"') or contains(_cdc_unknown, ',"birth_date"'), false),
                    'special',
                    from_json(_cdc_special, 'map<string, string>')['birth_date']
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last birth_date`,
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(
                        contains(_cdc_unknown, '["signed_up"') or contains(_cdc_unknown, ',"signed_up"'), false
                    )
                    or coalesce(contains(_cdc_absent, '["signed_up"') or contains(_cdc_absent, ',"signed_up"'), false)
                ),
                named_struct(
                    'value',
                    signed_up,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["signed_up"') or contains(_cdc_unknown, ',"signed_up"'), false),
                    'special',
                    from_json(_cdc_special, 'map<string, string>')['signed_up']
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last signed_up`,
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(
                        contains(_cdc_unknown, '["last_seen"') or contains(_cdc_unknown, ',"last_seen"'), false
                    )
                    or coalesce(contains(_cdc_absent, '["last_seen"') or contains(_cdc_absent, ',"last_seen"'), false)
                ),
                named_struct(
                    'value',
                    last_seen,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["last_seen"') or contains(_cdc_unknown, ',"last_seen"'), false),
                    'special',
                    from_json(_cdc_special, 'map<string, string>')['last_seen']
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last last_seen`,
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(contains(_cdc_unknown, '["notes"') or contains(_cdc_unknown, ',"notes"'), false)
                    or coalesce(contains(_cdc_absent, '["notes"') or contains(_cdc_absent, ',"notes"'), false)
                ),
                named_struct(
                    'value',
                    notes,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["notes"') or contains(_cdc_unknown, ',"notes"'), false)
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last notes`,
        last(
            if(
                _cdc_op not in ('d', 'o')
                and (
                    not coalesce(contains(_cdc_unknown, '["points"') or contains(_cdc_unknown, ',"points"'), false)
                    or coalesce(contains(_cdc_absent, '["points"') or contains(_cdc_absent, ',"points"'), false)
                ),
                named_struct(
                    'value',
                    points,
                    'is_unknown',
                    coalesce(contains(_cdc_unknown, '["points"') or contains(_cdc_unknown, ',"points"'), false)
                ),
                null
            ),
            true
        ) over so_far as `_cdc_last points`
    from key_moves_traced
    window so_far as (
        partition by _cdc_row_of_source order by _cdc_order rows between unbounded preceding and current row
    )
),

carry_forward as (
    select
        id,
        if(_cdc_op in ('d', 'o'), email, `_cdc_last email`.value) as email,
        if(_cdc_op in ('d', 'o'), full_name, `_cdc_last full_name`.value) as full_name,
        if(_cdc_op in ('d', 'o'), tier, `_cdc_last tier`.value) as tier,
        if(_cdc_op in ('d', 'o'), is_active, `_cdc_last is_active`.value) as is_active,
        if(_cdc_op in ('d', 'o'), birth_date, `_cdc_last birth_date`.value) as birth_date,
        if(_cdc_op in ('d', 'o'), signed_up, `_cdc_last signed_up`.value) as signed_up,
        if(_cdc_op in ('d', 'o'), last_seen, `_cdc_last last_seen`.value) as last_seen,
        if(_cdc_op in ('d', 'o'), notes, `_cdc_last notes`.value) as notes,
        if(_cdc_op in ('d', 'o'), points, `_cdc_last points`.value) as points,
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
                                        contains(_cdc_unknown, '["email"') or contains(_cdc_unknown, ',"email"'), false
                                    )
                                    and coalesce(`_cdc_last email`.is_unknown, true),
                                    '"email"',
                                    null
                                ),
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["full_name"')
                                        or contains(_cdc_unknown, ',"full_name"'),
                                        false
                                    )
                                    and coalesce(`_cdc_last full_name`.is_unknown, true),
                                    '"full_name"',
                                    null
                                ),
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["tier"') or contains(_cdc_unknown, ',"tier"'), false
                                    )
                                    and coalesce(`_cdc_last tier`.is_unknown, true),
                                    '"tier"',
                                    null
                                ),
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["is_active"')
                                        or contains(_cdc_unknown, ',"is_active"'),
                                        false
                                    )
                                    and coalesce(`_cdc_last is_active`.is_unknown, true),
                                    '"is_active"',
                                    null
                                ),
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["birth_date"')
                                        or contains(_cdc_unknown, ',"birth_date"'),
                                        false
                                    )
                                    and coalesce(`_cdc_last birth_date`.is_unknown, true),
                                    '"birth_date"',
                                    null
                                ),
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["signed_up"')
                                        or contains(_cdc_unknown, ',"signed_up"'),
                                        false
                                    )
                                    and coalesce(`_cdc_last signed_up`.is_unknown, true),
                                    '"signed_up"',
                                    null
                                ),
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["last_seen"')
                                        or contains(_cdc_unknown, ',"last_seen"'),
                                        false
                                    )
                                    and coalesce(`_cdc_last last_seen`.is_unknown, true),
                                    '"last_seen"',
                                    null
                                ),
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["notes"') or contains(_cdc_unknown, ',"notes"'), false
                                    )
                                    and coalesce(`_cdc_last notes`.is_unknown, true),
                                    '"notes"',
                                    null
                                ),
                                if(
                                    coalesce(
                                        contains(_cdc_unknown, '["points"') or contains(_cdc_unknown, ',"points"'),
                                        false
                                    )
                                    and coalesce(`_cdc_last points`.is_unknown, true),
                                    '"points"',
                                    null
                                )
                            ),
                            ']'
                        ),
                        '[]'
                    )
        end as _cdc_unknown,
        if(
            _cdc_op in ('d', 'o'),
            _cdc_special,
            nullif(
                to_json(
                    named_struct(
                        'birth_date',
                        `_cdc_last birth_date`.special,
                        'signed_up',
                        `_cdc_last signed_up`.special,
                        'last_seen',
                        `_cdc_last last_seen`.special
                    ),
                    map('ignoreNullFields', 'true')
                ),
                '{}'
            )
        ) as _cdc_special,
        last_known.* except (
            _cdc_unknown,
            _cdc_special,
            id,
            email,
            full_name,
            tier,
            is_active,
            birth_date,
            signed_up,
            last_seen,
            notes,
            points,
            `_cdc_last email`,
            `_cdc_last full_name`,
            `_cdc_last tier`,
            `_cdc_last is_active`,
            `_cdc_last birth_date`,
            `_cdc_last signed_up`,
            `_cdc_last last_seen`,
            `_cdc_last notes`,
            `_cdc_last points`
        )
    from last_known
),

hashed as (
    select
        *,
        xxhash64(
            id,
            isnull(id),
            email,
            isnull(email),
            full_name,
            isnull(full_name),
            tier,
            isnull(tier),
            is_active,
            isnull(is_active),
            birth_date,
            isnull(birth_date),
            signed_up,
            isnull(signed_up),
            last_seen,
            isnull(last_seen),
            notes,
            isnull(notes),
            points,
            isnull(points),
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
        if(_cdc_is_cut, null, email) as email,
        if(_cdc_is_cut, null, full_name) as full_name,
        if(_cdc_is_cut, null, tier) as tier,
        if(_cdc_is_cut, null, is_active) as is_active,
        if(_cdc_is_cut, null, birth_date) as birth_date,
        if(_cdc_is_cut, null, signed_up) as signed_up,
        if(_cdc_is_cut, null, last_seen) as last_seen,
        if(_cdc_is_cut, null, notes) as notes,
        if(_cdc_is_cut, null, points) as points,
        if(_cdc_is_cut, 'end', _cdc_kind) as _cdc_kind,
        case
            when _cdc_is_cut then 'truncate'
            when _cdc_kind <> 'end' then null
            when _cdc_op = 'o' then 'operator'
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
    email,
    full_name,
    tier,
    is_active,
    birth_date,
    signed_up,
    last_seen,
    notes,
    points,
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
    _cdc_batch
from bounded
where _cdc_kind = 'version'
