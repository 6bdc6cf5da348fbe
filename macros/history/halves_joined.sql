{#
  CTE `halves_joined`: an update that comes in two halves at one place in the log, the row as it was and the row as it is, is one change of its key
  (UPDATE-DELETE and UPDATE-INSERT of Datastream). Where no other half has the key, its first half stays, and ends the row: a key change.

  In:  changes, a CTE with _cdc_first_order (see touched_keys); goes_first, SQL: whether a change is a first half (see datastream_connector).
  Out: the same columns, first halves that another one follows left out, _cdc_first_order no later than they are: the other half may have come later.
#}
{% macro halves_joined(changes, goes_first) -%}
halves_known as (
    select
        *,
        if(
            coalesce({{ goes_first }}, false),
            max(if(_cdc_op = 'u', _cdc_order, null)) over (partition by _cdc_key, _cdc_position),
            null
        ) as _cdc_other_half
    from {{ changes }}
),

halves_touched as (
    select
        * except (_cdc_first_order),
        least(_cdc_first_order, min(if(_cdc_other_half >= _cdc_first_order, _cdc_order, null)) over (partition by _cdc_key)) as _cdc_first_order
    from halves_known
),

halves_joined as (
    select * except (_cdc_other_half)
    from halves_touched
    where _cdc_other_half is null
),
{%- endmacro %}
