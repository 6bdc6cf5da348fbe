{#
  Changes whose position or number depends on their delivery, because the source gave no order within the transaction
  (ties that only the landing coordinate breaks, equal changes distinguished by reading).

  In:  contracts, those of the tables; steps `changes` (changes_of_logs), `delivered` (changes_delivered).
  Out: a select of findings (see accounting).
    order_by_landing  changes of one key at one position in the log; only the landing coordinate shows which came
                      first (for Datastream, the uuid)
    equal_changes     equal changes of the stream at one position; only the number delivered by one reading shows how
                      many there are
    transaction_order_restarted  changes of one key at one position whose order in the transaction (total_order) does
                                 not rise in delivery order: a connector that restarts within a transaction counts
                                 from 1 again: later changes get lower numbers, and redelivered ones new numbers, so
                                 that they look like other changes (where the number counts, see
                                 transaction_order_decides)

  With transaction metadata (provide.transaction.metadata) the first two do not occur. In a table without a key only
  the order of additions and removals of equal rows matters, and the snapshot itself counts its equal rows. Rows that
  backfills read again are in the order they were read.
#}
{% macro ambiguous_changes(contracts) -%}
{% set any_named = afterimage.any_connector_has(contracts, 'names_events') -%}
{% set keyless = [] -%}
{% for contract in contracts if not contract['key'] and not afterimage.connector(contract)['position_identifies_row'] %}{% do keyless.append(contract) %}{% endfor -%}
{% set may_restart = [] -%}
{% for contract in contracts if not afterimage.connector(contract).get('names_events') and afterimage.transaction_order_decides(contract) %}{% do may_restart.append(contract) %}{% endfor -%}
{% if contracts | selectattr('key') | list -%}
select
    source_name,
    table_name,
    min(_cdc_topic) as topic,
    'ambiguous' as outcome,
    'order_by_landing' as kind,
    count(*) as records,
    min(named) as named
from changes
    -- an update that changes its row's key is a change of both keys
    lateral view explode(array_distinct(array(_cdc_key, if(_cdc_op = 'u', coalesce(_cdc_previous_key, _cdc_key), _cdc_key)))) as row_key
where has_key and _cdc_tx_order is null and {{ afterimage.has_row() }}{{ " and _cdc_snapshot <> 'backfill'" if any_named }}
group by
    source_name, table_name, row_key, concat(epoch, _cdc_position), _cdc_snapshot = 'none', {{ 'goes_first' if any_named else "position_identifies_row and _cdc_op = 'd'" }}
having count(*) > 1
union all
{% endif -%}
{% if keyless -%}
select
    source_name,
    table_name,
    min(_cdc_topic) as topic,
    'ambiguous' as outcome,
    'order_by_landing' as kind,
    count(distinct _cdc_event_id) as records,
    min(named) as named
from (
    select
        *,
        concat(epoch, _cdc_position) as place,
        row_key <=> _cdc_key and _cdc_op <> 'd' as adds
    from changes
        lateral view explode(array_distinct(array(_cdc_key, if(_cdc_op = 'u', _cdc_previous_key, _cdc_key)))) as row_key
    where not has_key and not position_identifies_row and _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
) as steps
group by source_name, table_name, place, row_key
having bool_or(adds) and bool_or(not adds)
union all
{% endif -%}
select
    source_name,
    table_name,
    min(_cdc_topic) as topic,
    'ambiguous' as outcome,
    'equal_changes' as kind,
    count(*) as records,
    min(named) as named
from changes
where _cdc_tx_order is null and _cdc_op in ('c', 'u', 'd')
group by source_name, table_name, concat(epoch, _cdc_position), substring_index(_cdc_event_id, ':', 4)
having count(*) > 1
{%- if may_restart %}
union all
select source_name, table_name, _cdc_topic, 'ambiguous', 'transaction_order_restarted', 1, named
from (
    select
        *,
        max(_cdc_tx_order) over (
            partition by source_name, table_name, _cdc_topic, _cdc_partition, _cdc_key, concat(epoch, _cdc_position)
            order by first_delivered rows between unbounded preceding and 1 preceding
        ) as order_before
    from delivered
    where not (has_key and position_identifies_row) and _cdc_tx_order is not null and {{ afterimage.has_row() }}
) as in_transactions
where not is_scattered and _cdc_tx_order <= order_before
{%- endif %}
{%- endmacro %}
