{#
  Changes whose place or number rests on how they were delivered, because the source told no order within the transaction
  (ties that only the landing coordinate decided, equal changes told apart by reading).

  In:  change_log; contract. Out: a select of _cdc_topic, kind, records.
    order_by_landing  changes of one key at one place in the log; where they landed alone says which came first
    equal_changes     equal changes of the stream at one place; how often one reading delivered them alone says how many there are

  With transaction metadata (provide.transaction.metadata) there are none of either. In a table without a key only
  the order of what adds and what takes equal rows matters, and equal rows of a snapshot are counted by the snapshot itself.
#}
{% macro ambiguous_changes(change_log, contract) -%}
{% set position = afterimage.in_epoch('_cdc_position', '_cdc_landed_ts', afterimage.epochs_of(change_log)) -%}
{% if contract['key'] -%}
select min(_cdc_topic) as _cdc_topic, 'order_by_landing' as kind, count(*) as records
from {{ change_log }}
where _cdc_tx_order is null and _cdc_op not in ('t', 'o')
group by _cdc_key, {{ position }}, _cdc_snapshot = 'none'{{ ", _cdc_op = 'd'" if afterimage.connector(contract)['place_is_of_a_row'] }}
having count(*) > 1
union all
{% elif not afterimage.connector(contract)['place_is_of_a_row'] -%}
select min(_cdc_topic) as _cdc_topic, 'order_by_landing' as kind, count(distinct _cdc_event_id) as records
from (
    select _cdc_topic, _cdc_event_id, {{ position }} as place, row_key, row_key <=> _cdc_key and _cdc_op <> 'd' as adds
    from {{ change_log }}
        lateral view explode(array_distinct(array(_cdc_key, if(_cdc_op = 'u', _cdc_previous_key, _cdc_key)))) as row_key
    where _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
) as steps
group by place, row_key
having bool_or(adds) and bool_or(not adds)
union all
{% endif -%}
select min(_cdc_topic) as _cdc_topic, 'equal_changes' as kind, count(*) as records
from {{ change_log }}
where _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
group by {{ position }}, substring_index(_cdc_event_id, ':', 4)
having count(*) > 1
{%- endmacro %}
