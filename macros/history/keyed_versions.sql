{#
  versions() of a table with a key: the life of each key, read in the order of the log.
#}
{% macro keyed_versions(changes, contract, progress) -%}
  {% set columns = afterimage.contract_columns(contract) -%}
  {% set untracked = contract['untracked'] -%}
  {% set connector = afterimage.connector(contract) -%}
  {% set may_meet = connector['before_is_whole'] and connector['two_rows_may_meet'] -%}
  {% set overtaken = afterimage.any_overtaken(changes, contract) -%}
  {% set fillable = afterimage.columns_ever_unknown(changes, contract) -%}
  {% set has_closings = afterimage.any_closing(changes) -%}
  {% set by_key = has_closings and afterimage.closings_differ_by_key(changes, contract) -%}
  {% set closings = '_cdc_closings' if by_key else 'truncates.events' -%}
  {% set placed = 'placed' if overtaken else 'touched_changes' -%}
  {% set link_halves = fillable and afterimage.any_unlinked_half(changes, contract) -%}
  {% set has_moves = fillable and (link_halves or afterimage.any_move(changes)) -%}
with

{{ afterimage.touched_keys(changes, contract, progress, link_halves, has_closings, has_moves) }}

touched_changes as (
    select{{ (' ' ~ afterimage.broadcast_hint('touched', progress['waiting'] if progress is not none and not progress['oldest_truncate'] and not has_moves else none)).rstrip() }}
        changes.*,
        {% if progress is not none -%}
        touched.first_order as _cdc_first_order,
        touched.is_linked as _cdc_is_linked,
        changes._cdc_batch <= {{ progress['applied'] }} as _cdc_is_applied
        {%- else -%}
        '' as _cdc_first_order,
        false as _cdc_is_linked,
        false as _cdc_is_applied
        {%- endif %}
    from changes
    {%- if progress is not none %}
    inner join touched on changes._cdc_key = touched._cdc_key
    {%- endif %}
    where changes._cdc_key is not null
),
{% if overtaken %}
{{ afterimage.snapshot_rows_placed('touched_changes') }}
{% endif %}
{%- if by_key %}
{{ afterimage.closings_of_key(placed, contract, overtaken) }}
{% endif %}
key_changes as (
    select
        in_place.*,
        {{ 'size(filter(' ~ closings ~ ', t -> t._cdc_order < in_place._cdc_order))' if has_closings else '0' }} as _cdc_truncates_before
    from {{ 'closed' if by_key else placed }} as in_place
    {%- if has_closings and not by_key %}
    cross join truncates
    {%- endif %}
),
{% if may_meet %}
{{ afterimage.rows_that_met() }}

effective as (
    select * from matched where not _cdc_is_other_row
),
{% else %}
effective as (
    select * from key_changes
),
{% endif %}
neighbours as (
    select
        *,
        lag(_cdc_op) over in_order as _cdc_previous_op,
        lag(_cdc_truncates_before) over in_order as _cdc_previous_truncates,
        lead(_cdc_truncates_before) over in_order as _cdc_next_truncates,
        {{ 'true' if progress is not none and progress['is_repeat'] else 'max(if(_cdc_is_applied, _cdc_order, null)) over (partition by _cdc_key) >= _cdc_first_order' }} as _cdc_is_late
    from effective
    window in_order as (partition by _cdc_key order by _cdc_order)
),

lives as (
    select
        *,
        sum(if(
            _cdc_op = 'c' or _cdc_previous_op is null or _cdc_previous_op in ('d', 'o') or _cdc_previous_truncates <> _cdc_truncates_before, 1, 0
        )) over (partition by _cdc_key order by _cdc_order rows between unbounded preceding and current row) as _cdc_life
    from neighbours
),

{{ afterimage.carry_forward('lives', fillable, contract, has_moves) }}

compared as (
    select
        *,
        {{ afterimage.image_hash(columns) }} as _cdc_filled_hash,
        {%- if untracked %}
        {{ afterimage.image_hash_without(columns, untracked) }} as _cdc_tracked_hash,
        {%- endif %}
        lag(_cdc_life) over in_order as _cdc_previous_life
    from carried
    window in_order as (partition by _cdc_key order by _cdc_order)
),

classified as (
    select
        *,
        case
            when _cdc_op in ('d', 'o') then 'end'
            when _cdc_previous_life = _cdc_life and lag(_cdc_filled_hash) over (partition by _cdc_key order by _cdc_order) = _cdc_filled_hash then 'void'
            {%- if untracked %}
            when _cdc_previous_life = _cdc_life and lag(_cdc_tracked_hash) over (partition by _cdc_key order by _cdc_order) = _cdc_tracked_hash then 'refresh'
            {%- endif %}
            else 'version'
        end as _cdc_kind
    from compared
),

log_rows as (
    select
        {%- for column in columns %}
        {{ column['sql'] }},
        {%- endfor %}
        _cdc_kind,
        case
            when _cdc_kind <> 'end' then null
            when _cdc_op = 'o' then 'operator'
            when _cdc_previous_key is null then 'delete'
            else 'key change'
        end as _cdc_end_reason,
        {{ afterimage.log_columns_of_change() }},
        _cdc_first_order,
        _cdc_is_late
    from classified
    {%- if has_closings %}
    union all
    -- the row was there when the table was truncated{{ ', or was not in a complete snapshot' if by_key }}
    select
        {%- for column in columns %}
        {{ 'null' if not column['is_key'] else column['sql'] }},
        {%- endfor %}
        'end',
        {{ "if(_cdc_by_truncate._cdc_op = 't', 'truncate', 'absent from snapshot')" if by_key else "'truncate'" }},
        {{ afterimage.log_columns_of_truncate() }},
        _cdc_first_order,
        _cdc_is_late
    from (
        select
            classified.*,
            get({{ closings }}, classified._cdc_truncates_before) as _cdc_by_truncate
        from classified
        {%- if not by_key %}
        cross join truncates
        {%- endif %}
        where
            classified._cdc_op not in ('d', 'o')
            and classified._cdc_truncates_before < size({{ closings }})
            and (classified._cdc_next_truncates is null or classified._cdc_next_truncates > classified._cdc_truncates_before)
    ) as ended
    {%- endif %}
    {%- if by_key %}
    union all
    -- what an earlier run may have ended before it was known that this key is not concerned
    {{ afterimage.withdrawn_log_rows(
      columns,
      'classified\n        lateral view explode(_cdc_passed_over) as _cdc_by_truncate',
      '_cdc_next_truncates is null',
      afterimage.log_columns_of_truncate(),
      'false' if progress is none else 'true' if progress['is_repeat'] else '_cdc_by_truncate._cdc_batch <= ' ~ progress['applied']
    ) }}
    {%- endif %}
    {%- if may_meet %}
    union all
    {{ afterimage.withdrawn_log_rows(columns, 'matched', '_cdc_is_other_row') }}
    {%- endif %}
    {%- if overtaken %}
    union all
    -- where a snapshot row stood before it was known what overtook it first
    {{ afterimage.withdrawn_log_rows(columns, 'left_places', 'true') }}
    {%- endif %}
)

{{ afterimage.written_log_rows(contract, progress) }}
{%- endmacro %}
