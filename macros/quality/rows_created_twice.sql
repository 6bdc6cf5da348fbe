{#
  Creates of a key that has an active row with other values: several rows of the source share one key of the contract,
  which is too short (tenants, shards), or the delete between them is missing. A transaction that moves rows from key
  to key may give two rows one key for a while: keys whose row it ends anywhere are excluded. So are rows whose
  position is their landing offset, because a delivery may repeat. A snapshot's rows are ignored if documents were
  created while it read; and if changes before it in the log may have been committed after it was read, and one of
  them ended a row of the key. ambiguous_changes reports changes at one position, whose order is unknown.

  In:  contracts, those of the tables; a step `changes` (changes_of_logs). Out: a select of findings (see accounting),
       one row for each create.
#}
{% macro rows_created_twice(contracts) -%}
select found.source_name, found.table_name, found._cdc_topic as topic, 'alarm' as outcome, 'row_created_twice' as kind, 1 as records, found.named
from (
    select
        *,
        lag(named_struct('op', _cdc_op, 'leaves_row', leaves_row, 'image', _cdc_image_hash, 'place', place, 'position', _cdc_position)) over (
            partition by source_name, table_name, row_key order by place
        ) as before,
        count_if(not leaves_row) over (partition by source_name, table_name, row_key order by place) as ended_before,
        bool_and(leaves_row) over (
            partition by source_name, table_name, row_key, coalesce(_cdc_tx_id, concat(epoch, _cdc_position))
        ) as is_left_here
    from (
        -- an update that changes its row's key leaves no row under the old key
        select *, concat(epoch, _cdc_order) as place, {{ afterimage.leaves_row() }} and row_key = _cdc_key as leaves_row
        from changes
            lateral view explode(array_distinct(array(_cdc_key, if(_cdc_op = 'u', coalesce(_cdc_previous_key, _cdc_key), _cdc_key)))) as row_key
        where
            has_key
            and not place_is_offset
            and _cdc_key is not null
            and (_cdc_snapshot = 'none' or _cdc_snapshot = 'initial'{{ ' and not in_row_order' if afterimage.any_connector_has(contracts, 'only_rows_in_order') }})
    ) as of_key
) as found
left anti join changes as emptied
    on
        found.source_name = emptied.source_name
        and found.table_name = emptied.table_name
        and {{ afterimage.is_table_wide() | replace('_cdc_', 'emptied._cdc_') }}
        and concat(emptied.epoch, emptied._cdc_order) > found.before.place
        and concat(emptied.epoch, emptied._cdc_order) < found.place
where
    found._cdc_op = 'c'
    and found.before.leaves_row
    and not (found.before.op = 'r' and found.in_write_order and found.ended_before > 0)
    and found._cdc_position <> found.before.position
    and found._cdc_image_hash <> found.before.image
    and found.is_left_here
{%- endmacro %}
