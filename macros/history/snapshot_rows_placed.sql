{#
  CTEs that move a snapshot row before the changes it does not show. (In a table without a key the changes move: see steps_behind_reads.)

  PostgreSQL's position is where a change was written, and a change becomes visible with its commit. A row that a snapshot reads while a
  transaction is open is the row before that transaction's change, although the change comes before the snapshot in the log. A change that was
  written before the snapshot's position and committed after it (_cdc_committed_after) is newer than the row: the row moves to the position
  right before the first such change of its key.

  In:  changes, a CTE with _cdc_first_order and _cdc_is_linked (see touched_keys); the changes of one key together; fold, see fold_rules.
  Out: CTE `snapshot_rows_placed`: the same columns, _cdc_position and _cdc_order of such rows moved, _cdc_first_order no later than they are,
       also for linked keys, which take values over from them; and _cdc_read_position, the position a row was read at (of all).
#}
{% macro snapshot_rows_placed(changes, fold) -%}
open_changes_known as (
    -- a snapshot does not see changes that were open when it was read and committed later: its row comes before the first of them
    select
        *,
        collect_list(if(_cdc_committed_after > _cdc_position, struct(_cdc_order, _cdc_position, _cdc_committed_after), null)) over (
            partition by _cdc_key
        ) as _cdc_open_changes
    from {{ changes }}
),

superseded as (
    select
        * except (_cdc_open_changes),
        if(
            _cdc_snapshot <> 'none' and _cdc_op = 'r',
            array_min(filter(_cdc_open_changes, o -> o._cdc_position < _cdc_position and o._cdc_committed_after >= _cdc_position)),
            null
        ) as _cdc_superseded_by
    from open_changes_known
),

snapshot_rows_placed as (
    select
        * except (_cdc_position, _cdc_order, _cdc_first_order, _cdc_superseded_by),
        coalesce(_cdc_superseded_by._cdc_position, _cdc_position) as _cdc_position,
        {{ afterimage.order_moved_to('_cdc_order', '_cdc_superseded_by._cdc_position') }} as _cdc_order,
        least(_cdc_first_order, min({{ afterimage.order_moved_to('_cdc_order', '_cdc_superseded_by._cdc_position', none) }}) over (
            partition by _cdc_is_linked, if(_cdc_is_linked, '', _cdc_key)
        )) as _cdc_first_order,
        _cdc_position as _cdc_read_position
    from superseded
),
{%- endmacro %}
