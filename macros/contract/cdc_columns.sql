{#
  The columns afterimage adds to each layer: name -> Spark type, in the order they are stored.
  Their meaning is written once, in macros/contract/_cdc_columns.md. In: contract, whose source_fields and headers are among them.
#}
{% macro change_log_columns(contract=none) %}
  {% set told = {} %}
  {% for name in afterimage.source_fields(contract) %}{% do told.update({'_cdc_source_' ~ name: 'string'}) %}{% endfor %}
  {% for name in afterimage.header_columns(contract) %}{% do told.update({name: 'string'}) %}{% endfor %}
  {% if contract and afterimage.is_document(contract) %}{% do told.update({'_cdc_update': 'string'}) %}{% endif %}
  {{ return(dict({
    '_cdc_op': 'string',
    '_cdc_key': 'string',
    '_cdc_previous_key': 'string',
    '_cdc_position': 'string',
    '_cdc_order': 'string',
    '_cdc_event_id': 'string',
    '_cdc_image_hash': 'bigint',
    '_cdc_before_hash': 'bigint',
    '_cdc_source_ts': 'timestamp',
    '_cdc_source_ts_ns': 'bigint',
    '_cdc_processed_ts': 'timestamp',
    '_cdc_landed_ts': 'timestamp',
    '_cdc_topic': 'string',
    '_cdc_partition': 'int',
    '_cdc_offset': 'bigint',
    '_cdc_source_table': 'string',
    '_cdc_tx_id': 'string',
    '_cdc_tx_order': 'bigint',
    '_cdc_committed_after': 'string',
    '_cdc_snapshot': 'string',
    '_cdc_connector_run': 'string',
    '_cdc_unknown': 'string',
    '_cdc_absent': 'string',
    '_cdc_special': 'string',
    '_cdc_extra': 'string',
  }, **dict(told, _cdc_batch='bigint'))) }}
{% endmacro %}


{# What is known of each place in the life of a key, or of a copy of a row without one (see keyed_timeline, keyless_timeline). #}
{% macro place_columns() %}
  {{ return({
    '_cdc_kind': 'string',
    '_cdc_end_reason': 'string',
    '_cdc_op': 'string',
    '_cdc_key': 'string',
    '_cdc_copy': 'bigint',
    '_cdc_previous_key': 'string',
    '_cdc_position': 'string',
    '_cdc_order': 'string',
    '_cdc_event_id': 'string',
    '_cdc_source_ts': 'timestamp',
    '_cdc_source_ts_ns': 'bigint',
    '_cdc_processed_ts': 'timestamp',
    '_cdc_landed_ts': 'timestamp',
    '_cdc_tx_id': 'string',
    '_cdc_tx_order': 'bigint',
    '_cdc_snapshot': 'string',
    '_cdc_unknown': 'string',
    '_cdc_special': 'string',
    '_cdc_batch': 'bigint',
  }) }}
{% endmacro %}


{# What the log of a history keeps of each version: what a reader sees, and what tells whether it still stands (see active_versions). #}
{% macro history_log_columns() %}
  {{ return(dict(afterimage.history_columns(), **{
    '_cdc_kind': 'string',
    '_cdc_end_order': 'string',
    '_cdc_replaces_from': 'string',
    '_cdc_append': 'bigint',
  })) }}
{% endmacro %}


{# What a reader of a history sees beside the contract's columns. #}
{% macro history_columns() %}
  {{ return({
    'valid_from': 'timestamp',
    'valid_to': 'timestamp',
    'is_current': 'boolean',
    '_cdc_op': 'string',
    '_cdc_key': 'string',
    '_cdc_copy': 'bigint',
    '_cdc_previous_key': 'string',
    '_cdc_position': 'string',
    '_cdc_order': 'string',
    '_cdc_end_position': 'string',
    '_cdc_end_reason': 'string',
    '_cdc_event_id': 'string',
    '_cdc_source_ts': 'timestamp',
    '_cdc_source_ts_ns': 'bigint',
    '_cdc_processed_ts': 'timestamp',
    '_cdc_landed_ts': 'timestamp',
    '_cdc_tx_id': 'string',
    '_cdc_tx_order': 'bigint',
    '_cdc_snapshot': 'string',
    '_cdc_unknown': 'string',
    '_cdc_special': 'string',
    '_cdc_batch': 'bigint',
  }) }}
{% endmacro %}


{# What a reader of a current state sees beside the contract's columns; what tells of deletes only where the contract keeps deleted rows (no contract: all). #}
{% macro current_columns(contract=none) %}
  {% set of_deleted = {
    '_cdc_is_deleted': 'boolean',
    '_cdc_deleted_ts': 'timestamp',
    '_cdc_end_position': 'string',
    '_cdc_end_reason': 'string',
  } %}
  {{ return(dict({
    '_cdc_op': 'string',
    '_cdc_key': 'string',
    '_cdc_copy': 'bigint',
    '_cdc_position': 'string',
    '_cdc_event_id': 'string',
    '_cdc_source_ts': 'timestamp',
    '_cdc_processed_ts': 'timestamp',
    '_cdc_landed_ts': 'timestamp',
    '_cdc_snapshot': 'string',
    '_cdc_unknown': 'string',
    '_cdc_special': 'string',
  }, **(of_deleted if contract is none or afterimage.keeps_deleted(contract) else {}))) }}
{% endmacro %}


{#
  What the log of a current state keeps of each row where the format has no MERGE: what a reader sees, and what tells whether it still stands
  (see active_rows). `cdc_append` is its partition: of one whose name begins with an underscore Hive's metastore parses no filter.
#}
{% macro state_log_columns(contract=none) %}
  {{ return(dict(afterimage.current_columns(contract), **{
    '_cdc_is_gone': 'boolean',
    'cdc_append': 'bigint',
  })) }}
{% endmacro %}


{# What becomes of each landed record that is not (or not only) a row of the change log. Columns of the ledger beside a change log. #}
{% macro ledger_columns() %}
  {{ return({
    'topic': 'string',
    'partition': 'int',
    'offset': 'bigint',
    'landed_at': 'timestamp',
    'outcome': 'string',
    'kind': 'string',
    'detail': 'string',
    'record_key': 'string',
    'record_value': 'string',
    'row_key': 'string',
    'position': 'string',
    'committed_after': 'string',
    'event_id': 'string',
    'connector_run': 'string',
    'fingerprint': 'string',
    'batch': 'bigint',
    'decided_at': 'timestamp',
  }) }}
{% endmacro %}


{# Our columns whose values hardly ever come twice: a dictionary of them is work for nothing. #}
{% macro unique_columns() %}
  {{ return(['_cdc_key', '_cdc_position', '_cdc_order', '_cdc_event_id', '_cdc_image_hash', '_cdc_source_ts', '_cdc_source_ts_ns', '_cdc_processed_ts',
             '_cdc_landed_ts', '_cdc_offset', '_cdc_committed_after', 'valid_from', 'valid_to', '_cdc_end_position', '_cdc_end_order']) }}
{% endmacro %}


{# Our columns that statements, and readers, bound by range or ask for NULL: see file_statistics. #}
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
