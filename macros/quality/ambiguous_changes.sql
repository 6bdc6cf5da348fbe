{#
  Changes whose place or number rests on how they were delivered, because the source told no order within the transaction
  (design: ties that only the landing coordinate decided, equal changes told apart by reading).

  In:  change_log; contract. Out: a select of _cdc_topic, kind, records.
    order_by_landing  changes of one key at one place in the log; where they landed alone says which came first
    equal_changes     equal changes of the stream at one place; how often one reading delivered them alone says how many there are

  With transaction metadata (provide.transaction.metadata) there are none of either. In a table without a key the order of different rows
  does not matter, and equal rows of a snapshot are counted by the snapshot itself.
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
{% endif -%}
select min(_cdc_topic) as _cdc_topic, 'equal_changes' as kind, count(*) as records
from {{ change_log }}
where _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
group by {{ position }}, substring_index(_cdc_event_id, ':', 4)
having count(*) > 1
{%- endmacro %}
