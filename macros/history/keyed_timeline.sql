{#
  CTEs that end in `places`: the timeline of each key of a table that has one, in log order; one row per step in the life of a key.

  In:  changes (relation or CTE of a change log); fold, see fold_rules; progress (see progress()): none for all keys, else those the new changes touch.
  Out: contract columns, place_columns() and _cdc_first_order, from where on results may differ from those of an earlier run. _cdc_kind is
    version  the row from this position on, values not sent filled in from the last known ones
    refresh  the version goes on; its untracked columns have these values from now on
    end      the row is gone from this position on (delete, key change, truncate)
    void     nothing changes here
  Changes of another row under the same key (see key_collisions) are left out; each touched key has a timeline row, as its own row existed before.
#}
{% macro keyed_timeline(changes, fold, progress) -%}
  {% set columns, rules, last, untracked = fold['columns'], fold['rules'], fold['last'], fold['contract']['untracked'] -%}
  {#- after a key collision the images of an update may not say whose LOB was left alone: better unknown than another row's -#}
  {% set begins = "_cdc_op = 'c'" ~ (" or (_cdc_has_met and _cdc_is_first and _cdc_op = 'u' and _cdc_unknown is not null)"
                                     if 'key_collisions' in rules and afterimage.lob_columns(fold['contract']) else '') -%}
  {% set has_closings, by_key = 'truncates' in rules, 'closings_of_key' in rules -%}
  {% set closings = '_cdc_closings' if by_key else 'truncates.events' -%}
{{ afterimage.touched_keys(changes, fold, progress) }}

touched_changes as (
    select{{ (' ' ~ afterimage.broadcast_hint('touched', progress['pending'] if progress is not none and not progress['oldest_truncate'] and 'key_moves_traced' not in rules else none)).rstrip() }}
        known.*,
        {% if progress is not none -%}
        touched.first_order as _cdc_first_order,
        touched.is_linked as _cdc_is_linked
        {%- else -%}
        '' as _cdc_first_order,
        false as _cdc_is_linked
        {%- endif %}
    from {{ last['changes'] }} as known
    {%- if progress is not none %}
    inner join touched on known._cdc_key = touched._cdc_key
    {%- endif %}
    where known._cdc_key is not null
),{{ afterimage.rules_after(fold, 'touched_changes') }}

key_changes as (
    select
        in_place.*,
        {{ 'size(filter(' ~ closings ~ ', t -> t._cdc_order < in_place._cdc_order))' if has_closings else '0' }} as _cdc_truncates_before
    from {{ last['touched_changes'] }} as in_place
    {%- if has_closings and not by_key %}
    cross join truncates
    {%- endif %}
),{{ afterimage.rules_after(fold, 'key_changes') }}

neighbours as (
    select
        *,
        lag(_cdc_op) over in_order as _cdc_previous_op,
        lag(_cdc_truncates_before) over in_order as _cdc_previous_truncates,
        lead(_cdc_truncates_before) over in_order as _cdc_next_truncates
    from {{ last['key_changes'] }}
    {%- if 'key_collisions' in rules %}
    where not _cdc_is_other_row
    {%- endif %}
    window
        in_order as (partition by _cdc_key order by _cdc_order)
),

lives as (
    select
        *,
        {{ begins }}
        or _cdc_previous_op is null
        or {{ afterimage.ends_row('_cdc_previous_op') }}
        or _cdc_previous_truncates <> _cdc_truncates_before as _cdc_begins_life
    from neighbours
),{{ afterimage.rules_after(fold, 'lives') }}

hashed as (
    select
        *,
        {{ afterimage.image_hash(columns) }} as _cdc_filled_hash
        {%- if untracked %},
        {{ afterimage.image_hash_without(columns, untracked) }} as _cdc_tracked_hash
        {%- endif %}
    from {{ last['lives'] }}
),

classified as (
    select
        *,
        case
            when {{ afterimage.ends_row() }} then 'end'
            {%- if afterimage.is_document(fold['contract']) %}
            -- an equal document that was looked up later: from here on it is not certain that it is the same one
            when _cdc_approximate and not lag(_cdc_approximate) over in_order then 'version'
            {%- endif %}
            when not _cdc_begins_life and lag(_cdc_filled_hash) over in_order = _cdc_filled_hash then 'void'
            {%- if untracked %}
            when not _cdc_begins_life and lag(_cdc_tracked_hash) over in_order = _cdc_tracked_hash then 'refresh'
            {%- endif %}
            else 'version'
        end as _cdc_kind
    from hashed
    window in_order as (partition by _cdc_key order by _cdc_order)
),

{% if has_closings -%}
cut as (
    -- one more row where a truncate{{ ', or a complete snapshot without the row,' if by_key }} ends an existing row
    select *
    from (
        select
            classified.*,
            get({{ closings }}, classified._cdc_truncates_before) as _cdc_by_truncate
        from classified
        {%- if not by_key %}
        cross join truncates
        {%- endif %}
    ) as before_truncate
        lateral view explode(if(
            {{ afterimage.ends_no_row() }}
            and _cdc_by_truncate is not null
            and (_cdc_next_truncates is null or _cdc_next_truncates > _cdc_truncates_before),
            array(false, true),
            array(false)
        )) as _cdc_is_cut
),

{% endif -%}
places as (
    select
        {%- for column in columns %}
        {{ column['sql'] if column['is_key'] or not has_closings else 'if(_cdc_is_cut, null, ' ~ column['sql'] ~ ') as ' ~ column['sql'] }},
        {%- endfor %}
        {{ "if(_cdc_is_cut, 'end', _cdc_kind) as _cdc_kind" if has_closings else '_cdc_kind' }},
        case
            {%- if has_closings %}
            when _cdc_is_cut then {{ "if(_cdc_by_truncate._cdc_op = 't', 'truncate', 'absent from snapshot')" if by_key else "'truncate'" }}
            {%- endif %}
            when _cdc_kind <> 'end' then null
            when {{ afterimage.is_of_operator() }} then 'operator'
            {%- if fold['connector'].get('tie_break') %}
            when {{ fold['connector']['tie_break'] }} then 'key change'
            {%- endif %}
            when _cdc_previous_key is null then 'delete'
            else 'key change'
        end as _cdc_end_reason,
        {{ afterimage.place_of_change_or_truncate() if has_closings else afterimage.place_of_change() }},
        _cdc_first_order
    from {{ 'cut' if has_closings else 'classified' }}
),
{%- endmacro %}
