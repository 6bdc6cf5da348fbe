{#
  Changes read from a topic behind others although they were committed before them: the source's log began anew, or another server's is read,
  and no epoch was declared. A redelivery is none (it is no new change), nor are transactions that overlap.

  In:  change_log; contract. Out: a select of _cdc_key, _cdc_position, _cdc_topic, _cdc_partition, _cdc_offset.

  Where the log is in write order (PostgreSQL) a change tells the last commit read before its transaction; that is never before what an
  earlier transaction of the topic has written. Elsewhere the position itself never goes back, nor does that of a whole snapshot anywhere.
#}
{% macro changes_that_went_back(change_log, contract) -%}
{% set epoch = afterimage.epoch_prefix('_cdc_landed_ts', afterimage.epochs_of(change_log)) -%}
{% set server = ', _cdc_source_table' if contract['key_within'] == 'physical_table' else '' -%}
{% set of_transaction = afterimage.connector(contract)['committed_after'] is not none -%}
select _cdc_key, _cdc_position, _cdc_topic, _cdc_partition, _cdc_offset
from (
    select
        *,
        max(reached) over (
            partition by _cdc_topic, _cdc_partition, epoch{{ server }} order by first_offset range between unbounded preceding and 1 preceding
        ) as reached_before
    from (
        select
            _cdc_key,
            _cdc_position,
            _cdc_topic,
            _cdc_partition,
            _cdc_offset,
            _cdc_source_table,
            {{ epoch }} as epoch,
            {% if of_transaction -%}
            if(_cdc_op = 'r', _cdc_position, _cdc_committed_after) as read_behind,
            greatest(_cdc_position, if(_cdc_op = 'r', null, _cdc_committed_after)) as reached,
            if(_cdc_op = 'r', _cdc_offset, min(_cdc_offset) over (partition by _cdc_topic, _cdc_partition, {{ epoch }}, _cdc_op = 'r', _cdc_tx_id)) as first_offset
            {%- else -%}
            _cdc_position as read_behind,
            _cdc_position as reached,
            _cdc_offset as first_offset
            {%- endif %}
        from {{ change_log }}
        where _cdc_snapshot in ('none', 'initial') and _cdc_op <> 'o'
    ) as streamed
) as compared
where read_behind < reached_before
{%- endmacro %}
