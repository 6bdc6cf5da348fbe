{#
  The changes of changes_of_logs that landed, each with the offset of its first delivery: which delivery of a change
  was staged is chance, and the first one shows when it was read. Deliveries into several partitions (of records
  without a key, or after partitions were added) do not show which one was first: is_scattered.
  In:  steps `changes` (changes_of_logs), `decisions` (decisions_of_logs). Out: a select of the columns of changes,
       first_delivered, and is_scattered.
#}
{% macro changes_delivered() -%}
select
    staged.*,
    least(
        staged._cdc_offset, if(again.earliest.partition = staged._cdc_partition, again.earliest.offset, null)
    ) as first_delivered,
    coalesce(
        staged._cdc_partition <> again.earliest.partition or staged._cdc_partition <> again.last_partition, false
    ) as is_scattered
from changes as staged
left join (
    select
        source_name,
        table_name,
        event_id,
        topic,
        min(struct(partition, offset)) as earliest,
        max(partition) as last_partition
    from decisions
    where outcome = 'duplicate'
    group by source_name, table_name, event_id, topic
) as again
    on
        staged.source_name = again.source_name
        and staged.table_name = again.table_name
        and substring_index(staged._cdc_event_id, ':', 4) = again.event_id
        and staged._cdc_topic = again.topic
where {{ afterimage.is_of_source('staged._cdc_op') }}
{%- endmacro %}
