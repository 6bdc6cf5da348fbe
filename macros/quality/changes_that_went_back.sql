{#
  Changes read from a topic behind others although they were committed before them: the source's log began anew, or another server's is read,
  and no epoch was declared. A redelivery is none (it is no new change), nor are transactions that overlap.

  In:  changes, decisions: CTEs made by changes_of_logs and decisions_of_logs; contracts, those of their tables.
  Out: a select of source_name, table_name, _cdc_topic, one row a change.

  Where the log is in write order (PostgreSQL) a change tells the last commit read before its transaction; that is never before what an
  earlier transaction of the topic has written. Elsewhere the position itself never goes back, nor does that of a whole snapshot anywhere.
  Events of Datastream land in any order. There it is a change that lies before another in the log and was made more than a day after it;
  less may be a transaction that was open for long, or a clock that was set.
#}
{% macro changes_that_went_back(changes, decisions, contracts) -%}
{% set any_named = afterimage.any_names_events(contracts) -%}
{% set in_write_order = [] -%}
{% for contract in contracts if afterimage.connector(contract)['committed_after'] is not none %}{% do in_write_order.append(contract) %}{% endfor -%}
select source_name, table_name, _cdc_topic
from (
    select
        source_name,
        table_name,
        _cdc_topic,
        read_behind,
        max(reached) over (
            partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, shard
            order by first_offset range between unbounded preceding and 1 preceding
        ) as reached_before
    from (
        select
            source_name,
            table_name,
            _cdc_topic,
            _cdc_partition,
            epoch,
            shard,
            {% if in_write_order -%}
            if(_cdc_op = 'r' or not in_write_order, _cdc_position, _cdc_committed_after) as read_behind,
            greatest(_cdc_position, if(_cdc_op = 'r' or not in_write_order, null, _cdc_committed_after)) as reached,
            if(
                _cdc_op = 'r' or not in_write_order,
                first_delivered,
                min(first_delivered) over (
                    partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, _cdc_op = 'r', _cdc_tx_id
                )
            ) as first_offset
            {%- else -%}
            _cdc_position as read_behind,
            _cdc_position as reached,
            first_delivered as first_offset
            {%- endif %}
        from (
            -- which delivery of a change was staged is chance: the first one tells when it was read
            select staged.*, least(staged._cdc_offset, coalesce(again.offset, staged._cdc_offset)) as first_delivered
            from {{ changes }} as staged
            left join (
                select source_name, table_name, event_id, topic, partition, min(offset) as offset
                from {{ decisions }}
                where outcome = 'duplicate'
                group by source_name, table_name, event_id, topic, partition
            ) as again
                on
                    staged.source_name = again.source_name
                    and staged.table_name = again.table_name
                    and substring_index(staged._cdc_event_id, ':', 4) = again.event_id
                    and staged._cdc_topic = again.topic
                    and staged._cdc_partition = again.partition
        ) as delivered
        where _cdc_snapshot in ('none', 'initial') and {{ afterimage.is_of_source() }}{{ ' and not in_any_order' if any_named }}
    ) as streamed
) as compared
where read_behind < reached_before
{%- if any_named %}
union all
select source_name, table_name, _cdc_topic
from (
    select
        source_name,
        table_name,
        _cdc_topic,
        _cdc_source_ts,
        min(_cdc_source_ts) over (
            partition by source_name, table_name, _cdc_topic, epoch, shard
            order by _cdc_position desc rows between unbounded preceding and 1 preceding
        ) as made_behind
    from {{ changes }}
    where in_any_order and _cdc_snapshot = 'none' and {{ afterimage.is_of_source() }}
) as in_log_order
where _cdc_source_ts > made_behind + interval 1 day
{%- endif %}
{%- endmacro %}
