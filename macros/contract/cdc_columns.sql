{#
  The columns afterimage adds to each layer: name -> Spark type, in the order they are stored.
  Their meaning is written once, in macros/contract/_cdc_columns.md. In: contract, whose source_fields and headers are included.
#}
{% macro change_log_columns(contract=none) %}
  {% set of_source = [] %}
  {% for name in afterimage.source_fields(contract) %}{% do of_source.append('_cdc_source_' ~ name) %}{% endfor %}
  {% set update = ['_cdc_update'] if contract and afterimage.is_document(contract) else [] %}
  {{ return(afterimage._typed(['_cdc_op', '_cdc_key', '_cdc_previous_key', '_cdc_position', '_cdc_order', '_cdc_event_id', '_cdc_image_hash',
                                 '_cdc_before_hash', '_cdc_source_ts', '_cdc_source_ts_ns', '_cdc_processed_ts', '_cdc_landed_ts', '_cdc_topic',
                                 '_cdc_partition', '_cdc_offset', '_cdc_source_table', '_cdc_tx_id', '_cdc_tx_order', '_cdc_committed_after',
                                 '_cdc_snapshot', '_cdc_connector_run', '_cdc_unknown', '_cdc_absent', '_cdc_special', '_cdc_extra']
                              + of_source + afterimage.header_columns(contract) | list + update + ['_cdc_batch'])) }}
{% endmacro %}


{# Names of afterimage's columns -> their Spark types: text, unless another type is named here. #}
{% macro _typed(names) %}
  {% set types = {} %}
  {% for type, of_type in {
    'timestamp': ['_cdc_source_ts', '_cdc_processed_ts', '_cdc_landed_ts', 'valid_from', 'valid_to', '_cdc_deleted_ts', 'landed_at', 'decided_at'],
    'bigint': ['_cdc_image_hash', '_cdc_before_hash', '_cdc_source_ts_ns', '_cdc_offset', '_cdc_tx_order', '_cdc_batch', '_cdc_copy', '_cdc_append', 'cdc_append', 'offset', 'batch'],
    'int': ['_cdc_partition', 'partition'],
    'boolean': ['is_current', '_cdc_is_deleted', '_cdc_is_gone'],
  }.items() %}{% for name in of_type %}{% do types.update({name: type}) %}{% endfor %}{% endfor %}
  {% set found = {} %}
  {% for name in names %}{% do found.update({name: types.get(name, 'string')}) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}


{# The columns of a timeline row of a key, or of a copy of a row without one (see keyed_timeline, keyless_timeline). #}
{% macro place_columns() %}
  {{ return(afterimage._typed(['_cdc_kind', '_cdc_end_reason', '_cdc_op', '_cdc_key', '_cdc_copy', '_cdc_previous_key', '_cdc_position',
                                 '_cdc_order', '_cdc_event_id', '_cdc_source_ts', '_cdc_source_ts_ns', '_cdc_processed_ts', '_cdc_landed_ts',
                                 '_cdc_tx_id', '_cdc_tx_order', '_cdc_snapshot', '_cdc_unknown', '_cdc_special', '_cdc_batch'])) }}
{% endmacro %}


{# The columns of the log of a history, for each version: those a reader sees, and those that say whether it is active (see active_versions). #}
{% macro history_log_columns() %}
  {{ return(afterimage._typed(afterimage.history_columns() | list + ['_cdc_kind', '_cdc_end_order', '_cdc_replaces_from', '_cdc_append'])) }}
{% endmacro %}


{# The columns of a history next to the contract's. #}
{% macro history_columns() %}
  {{ return(afterimage._typed(['valid_from', 'valid_to', 'is_current', '_cdc_op', '_cdc_key', '_cdc_copy', '_cdc_previous_key', '_cdc_position',
                                 '_cdc_order', '_cdc_end_position', '_cdc_end_reason', '_cdc_event_id', '_cdc_source_ts', '_cdc_source_ts_ns',
                                 '_cdc_processed_ts', '_cdc_landed_ts', '_cdc_tx_id', '_cdc_tx_order', '_cdc_snapshot', '_cdc_unknown',
                                 '_cdc_special', '_cdc_batch'])) }}
{% endmacro %}


{# The columns of a current state next to the contract's; those about deletes only where the contract keeps deleted rows (no contract: all). #}
{% macro current_columns(contract=none) %}
  {% set of_deleted = ['_cdc_is_deleted', '_cdc_deleted_ts', '_cdc_end_position', '_cdc_end_reason'] %}
  {{ return(afterimage._typed(['_cdc_op', '_cdc_key', '_cdc_copy', '_cdc_position', '_cdc_event_id', '_cdc_source_ts', '_cdc_processed_ts',
                                 '_cdc_landed_ts', '_cdc_snapshot', '_cdc_unknown', '_cdc_special']
                              + (of_deleted if contract is none or afterimage.keeps_deleted(contract) else []))) }}
{% endmacro %}


{#
  The columns of the log of a current state where the format has no MERGE: those a reader sees, and those that say whether a row is active
  (see active_rows). `cdc_append` is its partition: Hive's metastore parses no filter on a partition whose name begins with an underscore.
#}
{% macro state_log_columns(contract=none) %}
  {{ return(afterimage._typed(afterimage.current_columns(contract) | list + ['_cdc_is_gone', 'cdc_append'])) }}
{% endmacro %}


{# The columns of the ledger, the companion table of a change log: one row per landed record that is not (or not only) a row of the change log. #}
{% macro ledger_columns() %}
  {{ return(afterimage._typed(['topic', 'partition', 'offset', 'landed_at', 'outcome', 'kind', 'detail', 'record_key', 'record_value', 'row_key',
                                 'position', 'committed_after', 'event_id', 'connector_run', 'fingerprint', 'batch', 'decided_at'])) }}
{% endmacro %}


{# The columns of afterimage whose values hardly ever repeat: a dictionary of them is wasted work. #}
{% macro unique_columns() %}
  {{ return(['_cdc_key', '_cdc_position', '_cdc_order', '_cdc_event_id', '_cdc_image_hash', '_cdc_source_ts', '_cdc_source_ts_ns', '_cdc_processed_ts',
             '_cdc_landed_ts', '_cdc_offset', '_cdc_committed_after', 'valid_from', 'valid_to', '_cdc_end_position', '_cdc_end_order']) }}
{% endmacro %}


{# The columns of afterimage that statements and readers filter by range or for NULL: see file_statistics. #}
{% macro pruned_columns() %}
  {{ return(['_cdc_batch', '_cdc_append', '_cdc_position', '_cdc_end_position', '_cdc_partition', '_cdc_offset', '_cdc_key', '_cdc_op', '_cdc_previous_key',
             '_cdc_unknown', '_cdc_replaces_from', '_cdc_source_ts', '_cdc_landed_ts', 'valid_from', 'valid_to']) }}
{% endmacro %}


{# Contract columns and a layer's own columns as one list of {name, sql, type}. #}
{% macro layer_columns(contract, own_columns) %}
  {% set columns = [] %}
  {% for column in afterimage.contract_columns(contract) %}
    {% do columns.append({'name': column['name'], 'sql': column['sql'], 'type': column['type']}) %}
  {% endfor %}
  {% for name, type in own_columns.items() %}
    {% do columns.append({'name': name, 'sql': afterimage.identifier(name), 'type': type}) %}
  {% endfor %}
  {{ return(columns) }}
{% endmacro %}
