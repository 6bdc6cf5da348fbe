{#
  The changes of several change logs as one select, in the columns that accounting needs: one query then covers all
  tables, and a view of many tables stays short.

  In:  change_logs; contracts, those of the change logs, in their order. Out: a select, one row for each row of a
       change log:
    source_name, table_name, landing   the table, and where its records land
    has_key             whether the table has a key
    position_identifies_row, place_is_offset   see connector()
    in_write_order      whether the log is in write order and a change names the last commit read before its
                        transaction
    is_one_table        whether the contract treats all changes as those of one physical table, or of those it names
                        (names_tables) on one server
    shard               the physical table, if each has its own log; the document, if only its own changes are in
                        order; otherwise empty
    images_set_by, images_are_as_declared   of an update, see images_as_declared
    shown_key, shown_previous_key   the keys as findings may show them, see shown_key
    epoch               prefix of positions of the row's epoch, see epoch_prefix
  and columns of the change log under their own names. With a connector whose positions order only a row's own changes
  (only_rows_in_order) also
    in_row_order        whether that is one
  With a connector whose events have names (see datastream_connector) also
    in_any_order        whether that is one, whose changes may land in any order
    goes_first          whether a change precedes others at its position (tie_break)
    is_after_of_pair      whether a change is the record after an update
#}
{% macro changes_of_logs(change_logs, contracts) -%}
{% set any_named = afterimage.any_connector_has(contracts, 'names_events') -%}
{% set any_in_row_order = afterimage.any_connector_has(contracts, 'only_rows_in_order') -%}
{% for change_log in change_logs -%}
{% set contract = contracts[loop.index0] -%}
{% set connector = afterimage.connector(contract) -%}
select
    {{ afterimage.literal(contract['source_name']) }}{{ ' as source_name' if loop.first }},
    {{ afterimage.literal(contract['table_name']) }}{{ ' as table_name' if loop.first }},
    {{ afterimage.literal(contract['landing']) }}{{ ' as landing' if loop.first }},
    {{ 'true' if contract['key'] else 'false' }}{{ ' as has_key' if loop.first }},
    {{ 'true' if connector['position_identifies_row'] else 'false' }}{{ ' as position_identifies_row' if loop.first }},
    {{ 'true' if connector.get('place_is_offset') else 'false' }}{{ ' as place_is_offset' if loop.first }},
    {{ 'false' if connector['committed_after'] is none else 'true' }}{{ ' as in_write_order' if loop.first }},
    {{ 'true' if contract['truncate_empties'] == 'table' and contract['key_within'] != 'physical_table' else 'false' }}{{ ' as is_one_table' if loop.first }},
    {{ 'true' if contract['source_tables'] else 'false' }}{{ ' as names_tables' if loop.first }},
    {{ '_cdc_key' if connector.get('only_rows_in_order') else '_cdc_source_table' if contract['key_within'] == 'physical_table' else "''" }}{{ ' as shard' if loop.first }},
    {%- set images = afterimage.images_as_declared(contract) %}
    {{ afterimage.literal(images['set_by']) if images['set_by'] else 'cast(null as string)' }}{{ ' as images_set_by' if loop.first }},
    {{ images['sql'] }}{{ ' as images_are_as_declared' if loop.first }},
    {{ afterimage.shown_key('_cdc_key', contract) }} as shown_key,
    {{ afterimage.shown_key('_cdc_previous_key', contract) }} as shown_previous_key,
    {{ afterimage.epoch_prefix('_cdc_landed_ts', afterimage.epochs_of(change_log)) }}{{ ' as epoch' if loop.first }},
    {% if any_in_row_order -%}
    {{ 'true' if connector.get('only_rows_in_order') else 'false' }}{{ ' as in_row_order' if loop.first }},
    {% endif -%}
    {% if any_named -%}
    {{ 'true' if connector.get('names_events') else 'false' }}{{ ' as in_any_order' if loop.first }},
    coalesce({{ connector.get('tie_break') or ("_cdc_op = 'd'" if connector['position_identifies_row'] else 'false') }}, false){{ ' as goes_first' if loop.first }},
    coalesce({{ connector.get('after_of_pair', 'false') }}, false){{ ' as is_after_of_pair' if loop.first }},
    {% endif -%}
    _cdc_op, _cdc_key, _cdc_previous_key, _cdc_position, _cdc_order, _cdc_event_id, _cdc_image_hash,
    _cdc_topic, _cdc_partition, _cdc_offset,
    _cdc_tx_id, _cdc_tx_order, _cdc_committed_after, _cdc_snapshot, _cdc_source_table, _cdc_source_ts, _cdc_batch
from {{ change_log }}
{{- '\nunion all\n' if not loop.last -}}
{%- endfor %}
{%- endmacro %}
