{#
  Within an epoch, no two changes of a key have the same place in the order, and no change is staged twice. Put on a
  change log.
#}
{% test cdc_order_unique(model) %}
{% set epoch = afterimage.epoch_prefix('_cdc_landed_ts', afterimage.epochs_of(model)) %}
select _cdc_key, concat({{ epoch }}, _cdc_order) as place, count(*) as changes, 'two changes of one key at one place' as failure_reason
from {{ model }}
where _cdc_order is not null
group by _cdc_key, concat({{ epoch }}, _cdc_order)
having count(*) > 1
union all
select min(_cdc_key), concat({{ epoch }}, _cdc_event_id), count(*), 'one change staged more than once'
from {{ model }}
group by concat({{ epoch }}, _cdc_event_id)
having count(*) > 1
{% endtest %}
