{#
  CTEs that move a step of a bag after the snapshots that do not show it (see snapshot_rows_placed for why they do not).

  In a table without a key a snapshot counts equal rows. A change written before its position and committed after it is not in that count, so
  it removes or adds a row afterwards: it moves to the position right after the last such snapshot that read a row like it.

  In:  steps, a CTE with _cdc_row_key, _cdc_step_order, _cdc_first_order and _cdc_is_applied (an earlier run has applied it); the steps of one
       row key together; fold, see fold_rules.
  Out: CTE `steps_behind_reads`: the same columns, _cdc_position and _cdc_step_order of such steps moved, _cdc_first_order no later than they were,
       where the step or the snapshot is new.
#}
{% macro steps_behind_reads(steps, fold) -%}
read_steps as (
    select
        *,
        collect_set(if(_cdc_op = 'r', _cdc_position, null)) over (partition by _cdc_row_key) as _cdc_read_at,
        collect_set(if(_cdc_op = 'r' and not _cdc_is_applied, _cdc_position, null)) over (partition by _cdc_row_key) as _cdc_newly_read_at
    from {{ steps }}
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
        not _cdc_is_applied or exists(_cdc_newly_read_at, p -> p > _cdc_position and p <= _cdc_committed_after) as _cdc_is_news
    from read_steps
),

steps_behind_reads as (
    select
        * except (_cdc_position, _cdc_step_order, _cdc_first_order, _cdc_not_shown_at, _cdc_is_news),
        coalesce(array_max(_cdc_not_shown_at), _cdc_position) as _cdc_position,
        {{ afterimage.order_moved_to('_cdc_step_order', 'array_max(_cdc_not_shown_at)') }} as _cdc_step_order,
        least(_cdc_first_order, min(if(size(_cdc_not_shown_at) > 0 and _cdc_is_news, _cdc_step_order, null)) over (partition by _cdc_row_key)) as _cdc_first_order
    from unseen_steps
),
{%- endmacro %}
