{#
  CTE `backfills_placed`: the changes, with rows that a backfill read, which have no position, before the changes of their key (Datastream).

  The position at which such a row was read is not known: the row may show a change that comes after it here. The current state is right all the
  same, because the stream has every change since before the backfill began, and the last one decides. In the past,
    - a row whose key's next change in the same epoch is an insert did not exist before it: the backfill read that insert or a later change, and
      the row is left out;
    - a row counts from the time it was read, or from the next change of its key where that is older: otherwise the effect of changes made before
      it was read would seem to begin only then.

  In:  changes, a CTE with _cdc_first_order (see touched_keys); fold, see fold_rules. Out: the same columns, some rows left out, _cdc_source_ts of
       others earlier, _cdc_first_order no later than a row that a new change may leave out or move.
#}
{% macro backfills_placed(changes, fold) -%}
backfills_followed as (
    select
        *,
        if(
            _cdc_snapshot = 'backfill',
            lead(struct(_cdc_order, _cdc_position, _cdc_op, _cdc_source_ts, _cdc_snapshot)) over (partition by _cdc_key order by _cdc_order),
            null
        ) as _cdc_follows
    from {{ changes }}
),

backfills_known as (
    -- for rows read more than once: what follows the last read
    select
        * except (_cdc_follows),
        max(if(
            _cdc_follows._cdc_snapshot = 'none'
            and regexp_extract(_cdc_follows._cdc_position, '^e[0-9]{4}[.]', 0) = regexp_extract(_cdc_position, '^e[0-9]{4}[.]', 0),
            _cdc_follows,
            null
        )) over (partition by _cdc_key, _cdc_position, _cdc_snapshot) as _cdc_next_change
    from backfills_followed
),

backfills_touched as (
    select
        * except (_cdc_first_order),
        least(_cdc_first_order, min(if(_cdc_next_change._cdc_order >= _cdc_first_order, _cdc_order, null)) over (partition by _cdc_key)) as _cdc_first_order
    from backfills_known
),

backfills_placed as (
    select
        * except (_cdc_source_ts, _cdc_next_change),
        if(_cdc_snapshot = 'backfill', least(_cdc_source_ts, _cdc_next_change._cdc_source_ts), _cdc_source_ts) as _cdc_source_ts
    from backfills_touched
    where not (_cdc_snapshot = 'backfill' and coalesce(_cdc_next_change._cdc_op = 'c', false))
),
{%- endmacro %}
