{#
  Records of a key change (headers __debezium.newkey of the delete of the old key, __debezium.oldkey of the create of
  the new one) whose counterpart is missing: the row is gone, or exists twice. Both are at one position in the log;
  rows without an envelope that have none are matched anywhere. An update of Datastream is a before/after pair of
  records that do not name each other: a transaction, or a position, has no more records before than after.

  In:  contracts, those of the tables; a step `changes` (changes_of_logs). Out: a select of findings (see accounting),
       which name both keys where a record does.
#}
{% macro key_changes_unpaired(contracts) -%}
select
    source_name,
    table_name,
    min(_cdc_topic) as topic,
    'alarm' as outcome,
    'key_change_unpaired' as kind,
    abs(count_if(is_delete) - count_if(not is_delete)) as records,
    min(both_named) as named
from (
    select
        *,
        _cdc_op = 'd' as is_delete,
        if(_cdc_op = 'd', array(_cdc_key, _cdc_previous_key), array(_cdc_previous_key, _cdc_key)) as from_and_to,
        {{ afterimage.record_named("if(_cdc_op = 'd', shown_key, shown_previous_key), '->', if(_cdc_op = 'd', shown_previous_key, shown_key)") }} as both_named
    from changes
    where has_key and _cdc_op in ('c', 'd', 'x') and _cdc_previous_key is not null
) as of_key_changes
group by source_name, table_name, from_and_to, if(place_is_offset, null, concat(epoch, _cdc_position))
having count_if(is_delete) <> count_if(not is_delete)
{%- if afterimage.any_connector_has(contracts, 'names_events') %}
union all
select
    source_name,
    table_name,
    min(_cdc_topic),
    'alarm',
    'key_change_unpaired',
    count_if(goes_first) - count_if(is_after_of_pair),
    min(if(goes_first, named, null))
from changes
where in_any_order and has_key and (goes_first or is_after_of_pair)
group by source_name, table_name, epoch, coalesce(_cdc_tx_id, _cdc_position)
having count_if(goes_first) > count_if(is_after_of_pair)
{%- endif %}
{%- endmacro %}
