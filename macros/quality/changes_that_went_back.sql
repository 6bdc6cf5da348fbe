{#
  Changes read from a topic after others although they were committed before them: the source's log restarted, or
  another server's is read, and no epoch was declared (position_went_back). Also changes made more than a day before
  others that were read before them: the source's clock was set back (clock_went_back; a transaction that was open for
  less does not count). Redeliveries are excluded (they are no new changes), also those into another partition; so are
  overlapping transactions.

  In:  contracts, those of the tables; steps `changes` (changes_of_logs), `delivered` (changes_delivered).
  Out: a select of findings (see accounting), one row for each change.

  Where the log is in write order (PostgreSQL) a change names the last commit read before its transaction; that is
  never before what an earlier transaction of the topic has written. A connector that has read no commit yet names
  none: then the last write of its transaction is never before such a commit. Elsewhere the position itself never
  regresses, nor does that of a complete snapshot anywhere. An incremental snapshot's read of a document
  (only_rows_in_order) precedes each later change of it, so changes are compared with that too. Datastream events land
  in any order. There a change counts if it is before another in the log and was made more than a day after it; less
  may be a transaction that was open for long, or a clock that was set.
#}
{% macro changes_that_went_back(contracts) -%}
{% set any_named = afterimage.any_connector_has(contracts, 'names_events') -%}
{% set in_write_order = afterimage.any_connector_has(contracts, 'committed_after') -%}
{% set any_in_row_order = afterimage.any_connector_has(contracts, 'only_rows_in_order') -%}
{% set own_position = "if(_cdc_snapshot = 'incremental', null, _cdc_position)" if any_in_row_order else '_cdc_position' -%}
{#- written out each time: in an Iceberg view Spark does not resolve the names of a WINDOW clause -#}
{% set as_read -%}
over (
            partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, shard
            order by first_offset range between unbounded preceding and 1 preceding
        )
{%- endset -%}
{% set of_transaction -%}
over (
                    partition by source_name, table_name, _cdc_topic, _cdc_partition, epoch, _cdc_op = 'r', _cdc_tx_id
                )
{%- endset -%}
{% set went_back = 'read_behind < if(is_first_read, committed_before, reached_before)' if in_write_order else 'read_behind < reached_before' -%}
select
    source_name,
    table_name,
    _cdc_topic as topic,
    'alarm' as outcome,
    if({{ went_back }}, 'position_went_back', 'clock_went_back') as kind,
    1 as records,
    named
from (
    select
        *,
        {% if in_write_order -%}
        max(committed) {{ as_read }} as committed_before,
        {% endif -%}
        max(reached) {{ as_read }} as reached_before,
        max(made_at) {{ as_read }} as made_before
    from (
        select
            *,
            -- for a row that a snapshot read: when it was read, or when the row was last changed
            if(_cdc_op = 'r', null, _cdc_source_ts) as made_at,
            {% if in_write_order -%}
            -- no commit was read before it: the last record of its transaction comes after all that were
            in_write_order and _cdc_op <> 'r' and _cdc_committed_after is null as is_first_read,
            if(in_write_order, _cdc_committed_after, null) as committed,
            if(
                _cdc_op = 'r' or not in_write_order,
                {{ own_position }},
                coalesce(
                    _cdc_committed_after,
                    max(_cdc_position) {{ of_transaction | indent(4) }}
                )
            ) as read_behind,
            greatest(_cdc_position, if(_cdc_op = 'r' or not in_write_order, null, _cdc_committed_after)) as reached,
            if(
                _cdc_op = 'r' or not in_write_order,
                first_delivered,
                min(first_delivered) {{ of_transaction }}
            ) as first_offset
            {%- else -%}
            {{ own_position }} as read_behind,
            _cdc_position as reached,
            first_delivered as first_offset
            {%- endif %}
        from delivered
        where {{ "(" if any_in_row_order }}_cdc_snapshot in ('none', 'initial'){{ " or (in_row_order and _cdc_snapshot = 'incremental'))" if any_in_row_order }}{{ ' and not in_any_order' if any_named }}
    ) as streamed
) as compared
where not is_scattered and ({{ went_back }} or made_at < made_before - interval 1 day)
{%- if any_named %}
union all
select source_name, table_name, _cdc_topic, 'alarm', 'position_went_back', 1, named
from (
    select
        *,
        min(_cdc_source_ts) over (
            partition by source_name, table_name, _cdc_topic, epoch, shard
            order by _cdc_position desc rows between unbounded preceding and 1 preceding
        ) as made_behind
    from changes
    where in_any_order and _cdc_snapshot = 'none' and {{ afterimage.is_of_source() }}
) as in_log_order
where _cdc_source_ts > made_behind + interval 1 day
{%- endif %}
{%- endmacro %}
