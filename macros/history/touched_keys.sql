{#
  CTEs `changes`, `truncates`, `touched`: what a run must read.
    touched  one row per key with new changes, and the order of the first one. A truncate touches every key.
             A key that took values over from another key when it was changed is touched with it (is_linked).
  In: changes; fold, see fold_rules; progress.
#}
{% macro touched_keys(changes, fold, progress) -%}
{% set key, rules, known = fold['contract']['key'], fold['rules'], fold['last']['changes'] -%}
{{ afterimage.known_changes(changes, progress) }}{{ afterimage.rules_after(fold, 'changes') }}
{%- if 'truncates' in rules %}

truncates as (
    -- one row, from which each change counts the truncates (and other table-wide changes) before it
    select
        coalesce(array_sort(collect_list(struct(
            _cdc_order, _cdc_op, _cdc_event_id, _cdc_position, _cdc_source_ts, _cdc_source_ts_ns, _cdc_processed_ts, _cdc_landed_ts,
            _cdc_source_table, _cdc_tx_id, _cdc_tx_order, _cdc_batch
        ))), array()) as events
    from {{ known }}
    where {{ afterimage.is_table_wide() }}
),
{%- endif %}
{%- if progress is not none %}

new_changes as (
    select _cdc_key, min(_cdc_order) as first_order
    from (
        {%- if 'key_change_pairs_linked' in rules %}
        -- from the complete position on: the second event of a key-change pair explains why the first one ended
        select _cdc_key, _cdc_position as _cdc_order
        {%- else %}
        select _cdc_key, _cdc_order
        {%- endif %}
        from {{ known }} where _cdc_batch > {{ progress['applied'] }} and _cdc_key is not null
        {%- if 'key_change_pairs_linked' in rules %}
        union all
        -- and the other event of the pair, which may have arrived in an earlier run
        select _cdc_previous_key as _cdc_key, _cdc_position as _cdc_order
        from {{ known }}
        where _cdc_batch > {{ progress['applied'] }} and _cdc_op in ('c', 'd') and _cdc_previous_key is not null
        {%- endif %}
        {%- if not key %}
        union all
        select _cdc_previous_key as _cdc_key, _cdc_order from {{ known }} where _cdc_batch > {{ progress['applied'] }} and _cdc_op = 'u'
        {%- endif %}
        {%- if progress['oldest_truncate'] %}
        union all
        select distinct _cdc_key, {{ afterimage.literal(progress['oldest_truncate']) }} as _cdc_order from {{ known }} where _cdc_key is not null
        {%- endif %}
    ) as new_rows
    group by _cdc_key
),
{%- if 'key_moves_traced' in rules %}

linked as (
    -- keys that took over values not sent with a key change, and the keys they took them from
    select explode(array(_cdc_key, _cdc_previous_key)) as _cdc_key
    from {{ known }}
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
{%- else %}

touched as (
    select _cdc_key, first_order, false as is_linked from new_changes
),
{%- endif %}
{%- endif %}
{%- endmacro %}
