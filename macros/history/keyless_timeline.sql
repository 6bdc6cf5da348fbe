{#
  CTEs that end in `places`, as keyed_timeline, for a table without a key: equal rows share a key text and are distinguished by count.
  An insert adds a copy of its image, a delete removes one, an update does both. A snapshot adds nothing that is known: its n-th equal
  row means that there are at least n. Each n-th copy of a row has its own sequence of versions. A row with op x never comes: without a
  key it is refused (see accepted_operations).
  A change that was committed after a snapshot, but written before it was read, is moved after that snapshot (see steps_behind_reads).
  Requires full before images (REPLICA IDENTITY FULL): with less, an update or delete does not say which row it means.
#}
{% macro keyless_timeline(changes, fold, progress) -%}
  {% set of_step = {'_cdc_key': '_cdc_row_key', '_cdc_order': '_cdc_step_order', '_cdc_previous_key': 'cast(null as string)',
                    '_cdc_copy': 'greatest(_cdc_copies, _cdc_copies_before)'} -%}
  {% set of_copy = {'_cdc_copy': '_cdc_one_copy', '_cdc_order': "concat(_cdc_by_truncate._cdc_order, '.', lpad(cast(_cdc_one_copy as string), 10, '0'))"} -%}
  {% set contract, connector, lobs = fold['contract'], fold['connector'], afterimage.lob_columns(fold['contract']) -%}
  {% set fault = (' and its replica_identity is ' ~ contract['replica_identity'] ~ ': updates and deletes do not say which row they mean', 'set REPLICA IDENTITY FULL at the source and say replica_identity: full in ')
                 if not connector['before_is_whole']
                 else (', and an update in ' ~ contract['format'] ~ ' does not say which row it means', 'name columns that are unique as key in ') if connector.get('updates_name_no_row')
                 else (', and LOBs (' ~ lobs | join(', ') ~ ') that no before image has: updates and deletes do not say which row they mean', 'leave the LOBs out of the stream (column.exclude.list) and of ')
                 if lobs -%}
  {% if fault %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': ' ~ contract['source_name'] ~ '.' ~ contract['table_name'] ~ ' has no key' ~ fault[0]
      ~ ', so there is no history and no current state. Keep the change log alone, or ' ~ fault[1] ~ contract['origin'] ~ '.') %}
  {% endif -%}
{{ afterimage.touched_keys(changes, fold, progress) }}

steps as (
    -- a change removes a row before it adds one; an update that changes nothing shows, like a read, that the row exists
    select
        *,
        _cdc_key as _cdc_row_key,
        concat(_cdc_order, '.1') as _cdc_step_order,
        if(_cdc_op = 'r' or (_cdc_op = 'u' and _cdc_previous_key <=> _cdc_key), 0, 1) as _cdc_added,
        case
            when _cdc_op = 'r' then row_number() over (partition by _cdc_op, _cdc_position, _cdc_key order by _cdc_order)
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
        {{ 'touched.first_order' if progress is not none else "''" }} as _cdc_first_order,
        {{ 'steps._cdc_batch <= ' ~ progress['applied'] if progress is not none else 'false' }} as _cdc_is_applied
    from steps
    {%- if progress is not none %}
    inner join touched on steps._cdc_row_key = touched._cdc_key
    {%- endif %}
),{{ afterimage.rules_after(fold, 'touched_steps') }}

row_steps as (
    select
        in_place.*,
        size(filter(truncates.events, t -> t._cdc_order < in_place._cdc_step_order)) as _cdc_truncates_before
    from {{ fold['last']['touched_steps'] }} as in_place
    cross join truncates
),

summed as (
    select
        *,
        sum(_cdc_added) over so_far as _cdc_sum
    from row_steps
    window so_far as (
        partition by _cdc_row_key, _cdc_truncates_before order by _cdc_step_order rows between unbounded preceding and current row
    )
),

counted as (
    -- copies after a step: those added since the count was last certain, by an observation or by reaching zero
    select
        *,
        _cdc_sum + greatest(0, max(_cdc_observed - _cdc_sum) over (
            partition by _cdc_row_key, _cdc_truncates_before order by _cdc_step_order rows between unbounded preceding and current row
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
        lateral view explode(sequence(0L, if(_cdc_is_last and _cdc_by_truncate is not null, _cdc_copies, 0L))) as _cdc_one_copy
),

places as (
    select
        {%- for column in fold['columns'] %}
        if(_cdc_added >= 0 and not _cdc_is_cut, {{ column['sql'] }}, null) as {{ column['sql'] }},
        {%- endfor %}
        case
            when _cdc_is_cut or _cdc_copies < _cdc_copies_before then 'end'
            when _cdc_copies > _cdc_copies_before then 'version'
            else 'void'
        end as _cdc_kind,
        case
            when _cdc_is_cut then 'truncate'
            when _cdc_copies < _cdc_copies_before then if(_cdc_op = 'u', 'update', 'delete')
        end as _cdc_end_reason,
        {{ afterimage.place_of_change_or_truncate(of_step, of_copy) }},
        _cdc_first_order
    from cut
),
{%- endmacro %}
