-- rules that hold, each a CTE of its name:
-- truncates: a truncate, or a complete snapshot, may end many rows at once
-- documents_carried: an update may be only what it changes, and is made on the last known document
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

touched as (
    select _cdc_key, first_order, false as is_linked from new_changes
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

key_changes as (
    select
        in_place.*,
        size(filter(truncates.events, t -> t._cdc_order < in_place._cdc_order)) as _cdc_truncates_before
    from touched_changes as in_place
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

documents_in_order as (
    select array_sort(collect_list(struct(_cdc_order, struct(*) as change))) as changes
    from lives
    group by _cdc_key
),

documents_folded as (
    select inline(arrays_zip(changes, folded))
    from (
        select
            changes.change as changes,
            aggregate(
                changes.change,
                cast(
                    array() as array<struct<
                        document: string, is_whole: boolean, sent: array<string>, is_approximate: boolean
                    >>
                ),
                (folded, change) -> concat(folded, array(case
                    when change._cdc_op in ('d', 'o')
                        then
                            cast(
                                null as struct<
                                    document: string, is_whole: boolean, sent: array<string>, is_approximate: boolean
                                >
                            )
                    when
                        not coalesce(
                            contains(change._cdc_unknown, '["_cdc_document"')
                            or contains(change._cdc_unknown, ',"_cdc_document"'),
                            false
                        )
                        then
                            cast(
                                struct(
                                    regexp_replace(
                                        change._cdc_document,
                                        '\\G((?:[^"0-9NI-]++|"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?[0-9]++(?![0-9.eE]))*+)(-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)',
                                        '$1{"\\$numberDouble":"$2"}'
                                    ),
                                    true,
                                    array(),
                                    coalesce(change._cdc_approximate, false)
                                ) as struct<
                                    document: string, is_whole: boolean, sent: array<string>, is_approximate: boolean
                                >
                            )
                    when change._cdc_begins_life or get(folded, size(folded) - 1).document is null
                        then
                            cast(
                                struct(
                                    regexp_replace(
                                        change._cdc_document,
                                        '\\G((?:[^"0-9NI-]++|"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?[0-9]++(?![0-9.eE]))*+)(-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)',
                                        '$1{"\\$numberDouble":"$2"}'
                                    ),
                                    false,
                                    get(
                                        transform(
                                            array(
                                                from_json(
                                                    change._cdc_update,
                                                    'removedFields array<string>, updatedFields map<string, variant>'
                                                )
                                            ),
                                            u -> concat(
                                                coalesce(u.removedFields, array()),
                                                coalesce(map_keys(u.updatedFields), array())
                                            )
                                        ),
                                        0
                                    ),
                                    false
                                ) as struct<
                                    document: string, is_whole: boolean, sent: array<string>, is_approximate: boolean
                                >
                            )
                    else
                        cast(
                            struct(
                                get(
                                    transform(
                                        array(
                                            from_json(
                                                regexp_replace(
                                                    change._cdc_update,
                                                    '\\G((?:[^"0-9NI-]++|"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?[0-9]++(?![0-9.eE]))*+)(-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)',
                                                    '$1{"\\$numberDouble":"$2"}'
                                                ),
                                                'truncatedArrays array<struct<field: string, size: int>>, removedFields array<string>, updatedFields map<string, variant>'
                                            )
                                        ),
                                        u -> to_json(
                                            try_parse_json(
                                                aggregate(
                                                    concat(
                                                        transform(
                                                            coalesce(u.truncatedArrays, array()),
                                                            e -> cast(
                                                                struct(e.field, e.size, false, null) as struct<
                                                                    path: string,
                                                                    size: int,
                                                                    is_set: boolean,
                                                                    value: string
                                                                >
                                                            )
                                                        ),
                                                        transform(
                                                            coalesce(u.removedFields, array()),
                                                            e -> cast(
                                                                struct(e, null, false, null) as struct<
                                                                    path: string,
                                                                    size: int,
                                                                    is_set: boolean,
                                                                    value: string
                                                                >
                                                            )
                                                        ),
                                                        transform(
                                                            coalesce(map_entries(u.updatedFields), array()),
                                                            e -> cast(
                                                                struct(e.key, null, true, to_json(e.value)) as struct<
                                                                    path: string,
                                                                    size: int,
                                                                    is_set: boolean,
                                                                    value: string
                                                                >
                                                            )
                                                        )
                                                    ),
                                                    get(folded, size(folded) - 1).document,
                                                    (d, s) -> get(
                                                        transform(
                                                            array(
                                                                if(
                                                                    instr(s.path, '.') = 0
                                                                    or array_contains(json_object_keys(d), s.path),
                                                                    array(s.path),
                                                                    split(s.path, '[.]')
                                                                )
                                                            ),
                                                            n -> get(
                                                                transform(
                                                                    array(
                                                                        aggregate(
                                                                            slice(n, 1, size(n) - 1),
                                                                            array(d),
                                                                            (w, g) -> concat(
                                                                                w,
                                                                                array(
                                                                                    if(
                                                                                        get(w, size(w) - 1) like '[%',
                                                                                        to_json(
                                                                                            get(
                                                                                                from_json(
                                                                                                    get(w, size(w) - 1),
                                                                                                    'array<variant>'
                                                                                                ),
                                                                                                try_cast(g as int)
                                                                                            )
                                                                                        ),
                                                                                        to_json(
                                                                                            try_element_at(
                                                                                                from_json(
                                                                                                    get(w, size(w) - 1),
                                                                                                    'map<string, variant>'
                                                                                                ),
                                                                                                g
                                                                                            )
                                                                                        )
                                                                                    )
                                                                                )
                                                                            )
                                                                        )
                                                                    ),
                                                                    w -> if(
                                                                        s.is_set
                                                                        or coalesce(
                                                                            if(
                                                                                get(w, size(w) - 1) like '[%',
                                                                                to_json(
                                                                                    get(
                                                                                        from_json(
                                                                                            get(w, size(w) - 1),
                                                                                            'array<variant>'
                                                                                        ),
                                                                                        try_cast(
                                                                                            get(n, size(n) - 1) as int
                                                                                        )
                                                                                    )
                                                                                ),
                                                                                to_json(
                                                                                    try_element_at(
                                                                                        from_json(
                                                                                            get(w, size(w) - 1),
                                                                                            'map<string, variant>'
                                                                                        ),
                                                                                        get(n, size(n) - 1)
                                                                                    )
                                                                                )
                                                                            ) is not null
                                                                            and (
                                                                                s.size is null
                                                                                or (
                                                                                    if(
                                                                                        get(w, size(w) - 1) like '[%',
                                                                                        to_json(
                                                                                            get(
                                                                                                from_json(
                                                                                                    get(w, size(w) - 1),
                                                                                                    'array<variant>'
                                                                                                ),
                                                                                                try_cast(
                                                                                                    get(
                                                                                                        n, size(n) - 1
                                                                                                    ) as int
                                                                                                )
                                                                                            )
                                                                                        ),
                                                                                        to_json(
                                                                                            try_element_at(
                                                                                                from_json(
                                                                                                    get(w, size(w) - 1),
                                                                                                    'map<string, variant>'
                                                                                                ),
                                                                                                get(n, size(n) - 1)
                                                                                            )
                                                                                        )
                                                                                    ) like '[%'
                                                                                )
                                                                            ),
                                                                            false
                                                                        ),
                                                                        aggregate(
                                                                            sequence(size(n), 1, -1),
                                                                            case
                                                                                when s.is_set then s.value
                                                                                when s.size is not null
                                                                                    then
                                                                                        to_json(
                                                                                            slice(
                                                                                                from_json(
                                                                                                    if(
                                                                                                        get(
                                                                                                            w,
                                                                                                            size(w) - 1
                                                                                                        ) like '[%',
                                                                                                        to_json(
                                                                                                            get(
                                                                                                                from_json(
                                                                                                                    get(
                                                                                                                        w,
                                                                                                                        size(
                                                                                                                            w
                                                                                                                        ) - 1
                                                                                                                    ),
                                                                                                                    'array<variant>'
                                                                                                                ),
                                                                                                                try_cast(
                                                                                                                    get(
                                                                                                                        n,
                                                                                                                        size(
                                                                                                                            n
                                                                                                                        ) - 1
                                                                                                                    ) as int
                                                                                                                )
                                                                                                            )
                                                                                                        ),
                                                                                                        to_json(
                                                                                                            try_element_at(
                                                                                                                from_json(
                                                                                                                    get(
                                                                                                                        w,
                                                                                                                        size(
                                                                                                                            w
                                                                                                                        ) - 1
                                                                                                                    ),
                                                                                                                    'map<string, variant>'
                                                                                                                ),
                                                                                                                get(
                                                                                                                    n,
                                                                                                                    size(
                                                                                                                        n
                                                                                                                    ) - 1
                                                                                                                )
                                                                                                            )
                                                                                                        )
                                                                                                    ),
                                                                                                    'array<variant>'
                                                                                                ),
                                                                                                1,
                                                                                                s.size
                                                                                            )
                                                                                        )
                                                                            end,
                                                                            (x, i) -> if(
                                                                                get(w, i - 1) like '[%'
                                                                                and get(n, i - 1) rlike '^[0-9]{1,9}$',
                                                                                get(
                                                                                    transform(
                                                                                        array(
                                                                                            from_json(
                                                                                                get(w, i - 1),
                                                                                                'array<variant>'
                                                                                            )
                                                                                        ),
                                                                                        a -> get(
                                                                                            transform(
                                                                                                array(
                                                                                                    cast(
                                                                                                        get(
                                                                                                            n, i - 1
                                                                                                        ) as int
                                                                                                    )
                                                                                                ),
                                                                                                p -> if(
                                                                                                    p > size(
                                                                                                        a
                                                                                                    ) + 1500000,
                                                                                                    get(w, i - 1),
                                                                                                    to_json(
                                                                                                        concat(
                                                                                                            slice(
                                                                                                                a, 1, p
                                                                                                            ),
                                                                                                            array_repeat(
                                                                                                                parse_json(
                                                                                                                    'null'
                                                                                                                ),
                                                                                                                greatest(
                                                                                                                    p - size(
                                                                                                                        a
                                                                                                                    ),
                                                                                                                    0
                                                                                                                )
                                                                                                            ),
                                                                                                            array(
                                                                                                                parse_json(
                                                                                                                    coalesce(
                                                                                                                        x,
                                                                                                                        'null'
                                                                                                                    )
                                                                                                                )
                                                                                                            ),
                                                                                                            slice(
                                                                                                                a,
                                                                                                                p + 2,
                                                                                                                greatest(
                                                                                                                    size(
                                                                                                                        a
                                                                                                                    ) - p - 1,
                                                                                                                    0
                                                                                                                )
                                                                                                            )
                                                                                                        )
                                                                                                    )
                                                                                                )
                                                                                            ),
                                                                                            0
                                                                                        )
                                                                                    ),
                                                                                    0
                                                                                ),
                                                                                to_json(
                                                                                    map_concat(
                                                                                        map_filter(
                                                                                            coalesce(
                                                                                                from_json(
                                                                                                    get(w, i - 1),
                                                                                                    'map<string, variant>'
                                                                                                ),
                                                                                                cast(
                                                                                                    map() as map<
                                                                                                        string, variant
                                                                                                    >
                                                                                                )
                                                                                            ),
                                                                                            (k, e) -> k <> get(n, i - 1)
                                                                                        ),
                                                                                        if(
                                                                                            x is null,
                                                                                            cast(
                                                                                                map() as map<
                                                                                                    string, variant
                                                                                                >
                                                                                            ),
                                                                                            map(
                                                                                                get(n, i - 1),
                                                                                                parse_json(x)
                                                                                            )
                                                                                        )
                                                                                    )
                                                                                )
                                                                            )
                                                                        ),
                                                                        d
                                                                    )
                                                                ),
                                                                0
                                                            )
                                                        ),
                                                        0
                                                    )
                                                )
                                            )
                                        )
                                    ),
                                    0
                                ),
                                get(folded, size(folded) - 1).is_whole,
                                if(
                                    get(folded, size(folded) - 1).is_whole,
                                    array(),
                                    array_union(
                                        get(folded, size(folded) - 1).sent,
                                        get(
                                            transform(
                                                array(
                                                    from_json(
                                                        change._cdc_update,
                                                        'removedFields array<string>, updatedFields map<string, variant>'
                                                    )
                                                ),
                                                u -> concat(
                                                    coalesce(u.removedFields, array()),
                                                    coalesce(map_keys(u.updatedFields), array())
                                                )
                                            ),
                                            0
                                        )
                                    )
                                ),
                                get(folded, size(folded) - 1).is_approximate
                            ) as struct<
                                document: string, is_whole: boolean, sent: array<string>, is_approximate: boolean
                            >
                        )
                end))
            ) as folded
        from documents_in_order
    ) as in_order
),

documents_read as (
    select
        changes.*,
        folded.is_whole as _cdc_is_whole,
        folded.sent as _cdc_sent,
        get(
            transform(
                array(folded.document),
                d -> get(
                    transform(
                        array(try_parse_json(d)),
                        v -> if(
                            d is null,
                            null,
                            named_struct(
                                '_id',
                                regexp_replace(
                                    to_json(try_variant_get(v, '$[\'_id\']', 'variant')),
                                    '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}',
                                    '$1'
                                ),
                                'address.city',
                                regexp_replace(
                                    to_json(try_variant_get(v, '$[\'address\'][\'city\']', 'variant')),
                                    '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}',
                                    '$1'
                                ),
                                '_cdc_document',
                                if(true, regexp_replace(d, '\\{"\\$numberDouble":"(-?[0-9][^"]*)"\\}', '$1'), null),
                                '_cdc_approximate',
                                folded.is_approximate
                            )
                        )
                    ),
                    0
                )
            ),
            0
        ) as _cdc_read
    from documents_folded
),

documents_carried as (
    select
        if(
            _cdc_op in ('d', 'o'), _id, nullif(regexp_extract(_cdc_read.`_id`, '^\\{"\\$oid":"([^"]*)"\\}$', 1), '')
        ) as _id,
        if(
            _cdc_op in ('d', 'o'),
            address_city,
            if(
                _cdc_read.`address.city` like '"%',
                try_variant_get(try_parse_json(_cdc_read.`address.city`), '$', 'string'),
                null
            )
        ) as address_city,
        if(_cdc_op in ('d', 'o'), _cdc_document, _cdc_read.`_cdc_document`) as _cdc_document,
        if(_cdc_op in ('d', 'o'), _cdc_approximate, _cdc_read.`_cdc_approximate`) as _cdc_approximate,
        case
            when _cdc_op in ('d', 'o') then _cdc_unknown
            when not _cdc_is_whole
                then
                    nullif(
                        concat(
                            '[',
                            concat_ws(
                                ',',
                                if(
                                    not coalesce(arrays_overlap(_cdc_sent, array('address', 'address.city')), false),
                                    '"address_city"',
                                    null
                                ),
                                if(true, '"_cdc_document"', null)
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
                        '_id',
                        case
                            when _cdc_read.`_id` <> 'null'
                                and (
                                    nullif(regexp_extract(_cdc_read.`_id`, '^\\{"\\$oid":"([^"]*)"\\}$', 1), '')
                                ) is null
                                then _cdc_read.`_id`
                        end,
                        'address_city',
                        case
                            when _cdc_read.`address.city` <> 'null'
                                and (
                                    if(
                                        _cdc_read.`address.city` like '"%',
                                        try_variant_get(try_parse_json(_cdc_read.`address.city`), '$', 'string'),
                                        null
                                    )
                                ) is null
                                then _cdc_read.`address.city`
                        end
                    ),
                    map('ignoreNullFields', 'true')
                ),
                '{}'
            )
        ) as _cdc_special,
        documents_read.* except (
            _cdc_unknown,
            _cdc_special,
            _cdc_is_whole,
            _cdc_sent,
            _cdc_read,
            _id,
            address_city,
            _cdc_document,
            _cdc_approximate
        )
    from documents_read
),

hashed as (
    select
        *,
        xxhash64(
            _id,
            isnull(_id),
            address_city,
            isnull(address_city),
            regexp_replace(_cdc_document, '(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}', '$1'),
            isnull(_cdc_document),
            coalesce(_cdc_unknown, ''),
            coalesce(_cdc_special, '')
        ) as _cdc_filled_hash
    from documents_carried
),

classified as (
    select
        *,
        case
            when _cdc_op in ('d', 'o') then 'end'
            -- an equal document that was looked up later: from here on it is not certain that it is the same one
            when _cdc_approximate and not lag(_cdc_approximate) over in_order then 'version'
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
        _id,
        if(_cdc_is_cut, null, address_city) as address_city,
        if(_cdc_is_cut, null, _cdc_document) as _cdc_document,
        if(_cdc_is_cut, null, _cdc_approximate) as _cdc_approximate,
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
    _id,
    address_city,
    _cdc_document,
    _cdc_approximate,
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
