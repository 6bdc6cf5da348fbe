{#
  CTE `halves_joined`: an update that comes in two halves, the row as it was and the row as it is, is one change where both have the same key
  (UPDATE-DELETE and UPDATE-INSERT of Datastream). Where no other half has the key, the first half stays, and ends the row: a key change.

  In a shift or swap of keys a row moves in before the one moves out whose place it takes: the first half that follows in the same transaction
  then has another image than the row that moved in, and is not that row's end.

  In:  changes, a CTE with _cdc_first_order (see touched_keys); goes_first, SQL: whether a change is a first half (see datastream_connector).
  Out: the same columns, first halves that end nothing left out, _cdc_first_order no later than they are: the other half may have come later.
#}
{% macro halves_joined(changes, goes_first) -%}
halves_known as (
    select
        *,
        max(if(_cdc_op = 'u', _cdc_order, null)) over (partition by _cdc_key, _cdc_position) as _cdc_other_half,
        lag(struct(_cdc_op, _cdc_tx_id, _cdc_image_hash)) over (partition by _cdc_key order by _cdc_order) as _cdc_moved_in,
        coalesce({{ goes_first }}, false) as _cdc_goes_first
    from {{ changes }}
),

halves_touched as (
    select
        * except (_cdc_first_order),
        least(
            _cdc_first_order,
            min(if(_cdc_goes_first and _cdc_other_half >= _cdc_first_order, _cdc_order, null)) over (partition by _cdc_key)
        ) as _cdc_first_order
    from halves_known
),

halves_joined as (
    select * except (_cdc_other_half, _cdc_moved_in, _cdc_goes_first)
    from halves_touched
    where
        not _cdc_goes_first
        or not (
            _cdc_other_half is not null
            or coalesce(
                _cdc_moved_in._cdc_op = 'u' and _cdc_moved_in._cdc_tx_id = _cdc_tx_id and _cdc_moved_in._cdc_image_hash <> _cdc_image_hash, false
            )
        )
),
{%- endmacro %}
