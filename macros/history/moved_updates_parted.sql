{#
  CTE `moved_updates_parted`: the changes, each update that gives a row another key split into a key-change pair.
  Debezium splits it itself where the key of its record changes; where that key holds other columns than the contract's (message.key.columns),
  one update has both keys.
  In: changes, a CTE; fold, see fold_rules. Out: the same columns. Both events have the order of the update: they are of different keys.
#}
{% macro moved_updates_parted(changes, fold) -%}
{% set half = "struct(%s as _cdc_op, %s as _cdc_key, %s as _cdc_previous_key)" -%}
moved_updates_parted as (
    select
        moved.* except (_cdc_op, _cdc_key, _cdc_previous_key),
        half.*
    from {{ changes }} as moved
        lateral view inline(if(
            moved._cdc_op = 'u' and moved._cdc_previous_key is not null,
            array(
                {{ half % ("'d'", 'moved._cdc_previous_key', 'moved._cdc_key') }},
                {{ half % ("'c'", 'moved._cdc_key', 'moved._cdc_previous_key') }}
            ),
            array({{ half % ('moved._cdc_op', 'moved._cdc_key', 'moved._cdc_previous_key') }})
        )) half as _cdc_op, _cdc_key, _cdc_previous_key
),
{%- endmacro %}
