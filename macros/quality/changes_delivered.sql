{#
  The changes of changes_of_logs that landed, each with the offset of its first delivery: which delivery of a change
  was staged is chance, and the first one shows when it was read.
  In:  steps `changes` (changes_of_logs), `decisions` (decisions_of_logs). Out: a select of the columns of changes, and
       first_delivered.
#}
{% macro changes_delivered() -%}
select staged.*, least(staged._cdc_offset, coalesce(again.offset, staged._cdc_offset)) as first_delivered
from changes as staged
left join (
    select source_name, table_name, event_id, topic, partition, min(offset) as offset
    from decisions
    where outcome = 'duplicate'
    group by source_name, table_name, event_id, topic, partition
) as again
    on
        staged.source_name = again.source_name
        and staged.table_name = again.table_name
        and substring_index(staged._cdc_event_id, ':', 4) = again.event_id
        and staged._cdc_topic = again.topic
        and staged._cdc_partition = again.partition
where {{ afterimage.is_of_source('staged._cdc_op') }}
{%- endmacro %}
