{#
  CTE `key_change_pairs_linked`: the changes, with the delete and the create of a key change linked where no header links them.

  Debezium sends the other key in a header (__debezium.newkey, __debezium.oldkey). Headers may not be landed, and under message.key.columns
  they hold other columns than the key. Both events share one position, and nothing else does (where position_identifies_row, see
  connector): one delete and one create of different keys there are one row that moved.

  In:  changes, a CTE; fold, see fold_rules. Out: the same columns, _cdc_previous_key of such pairs filled in.
#}
{% macro key_change_pairs_linked(changes, fold) -%}
halves as (
    select
        _cdc_position,
        _cdc_source_table,
        max(if(_cdc_op = 'd', _cdc_key, null)) as from_key,
        max(if(_cdc_op = 'c', _cdc_key, null)) as to_key
    from {{ changes }}
    where _cdc_op in ('c', 'd')
    group by _cdc_position, _cdc_source_table
    having count(*) = 2 and from_key <> to_key
),

key_change_pairs_linked as (
    select
        unlinked.* except (_cdc_previous_key),
        coalesce(unlinked._cdc_previous_key, case unlinked._cdc_op when 'c' then halves.from_key when 'd' then halves.to_key end) as _cdc_previous_key
    from {{ changes }} as unlinked
    left join halves on unlinked._cdc_position = halves._cdc_position and unlinked._cdc_source_table <=> halves._cdc_source_table and unlinked._cdc_op in ('c', 'd')
),
{%- endmacro %}
