{#
  The keys of a contract, in one place: the validator, the errors and the JSON schema
  (docs/reference/contract.schema.json, checked by a test) are made from it.
  Out: dict name -> {type, level, required, allowed, default, help}; level is source, table or both; words, texts allowed for a key that
  otherwise takes no text; each, the values allowed in a list or map.
#}
{% macro contract_keys() %}
  {{ return({
    'connector': {
      'type': 'text', 'level': 'both', 'required': true, 'allowed': afterimage.connectors() | list,
      'help': 'the system the changes come from; determines position, order and types'},
    'format': {
      'type': 'text', 'level': 'both', 'default': 'debezium_json', 'allowed': afterimage.record_formats() | list,
      'help': 'the shape of a landed record: Debezium envelopes, rows unwrapped by ExtractNewRecordState, or CloudEvents; JSON with and without schema block may be mixed. Events of Google Datastream are datastream_json, the default of connectors datastream_…'},
    'place_from': {
      'type': 'text', 'level': 'both', 'default': 'coordinates', 'allowed': ['coordinates', 'sort_keys'],
      'help': 'format datastream_json: what orders the changes, either the coordinates in the source\'s log (from source_metadata or sort_keys), or sort_keys element by element, starting with the clock, their first element'},
    'avro_schemas': {
      'type': 'text', 'level': 'both',
      'help': 'the table with the Avro schemas of the records (schema.table, with columns id, subject, schema), made by afterimage schemas; records are then read as Avro'},
    'avro_framing': {
      'type': 'text', 'level': 'both', 'default': 'confluent', 'allowed': ['confluent', 'apicurio', 'headers'],
      'help': 'where a record in Avro has the id of its schema: after a zero byte, in four bytes (confluent) or eight (apicurio), or in the headers of Apicurio'},
    'add_fields': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'format unwrapped: add.fields of ExtractNewRecordState as it is set there, e.g. [op, lsn, source.ts_ms]; the models do not have what is not added'},
    'add_fields_prefix': {
      'type': 'text', 'level': 'both', 'default': '__',
      'help': 'format unwrapped: add.fields.prefix of ExtractNewRecordState'},
    'add_headers': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'format unwrapped: add.headers of ExtractNewRecordState as it is set there'},
    'add_headers_prefix': {
      'type': 'text', 'level': 'both', 'default': '__',
      'help': 'format unwrapped: add.headers.prefix of ExtractNewRecordState'},
    'delete_tombstone_handling_mode': {
      'type': 'text', 'level': 'both', 'default': 'tombstone', 'allowed': ['drop', 'tombstone', 'rewrite', 'rewrite-with-tombstone', 'delete-to-tombstone'],
      'help': 'format unwrapped: delete.tombstone.handling.mode of ExtractNewRecordState, which determines how a delete is written; under drop, deleted rows stay in the models forever'},
    'drop_fields_header_name': {
      'type': 'text', 'level': 'both',
      'help': 'format unwrapped: drop.fields.header.name of ExtractNewRecordState, if it is set: a field missing from a row then did not change'},
    'array_encoding': {
      'type': 'text', 'level': 'both', 'default': 'array', 'allowed': ['array', 'document'],
      'help': 'format unwrapped of MongoDB: array.encoding of ExtractNewDocumentState; under document, an array is an object with fields _0, _1, …'},
    'flatten_struct_delimiter': {
      'type': 'text', 'level': 'both',
      'help': 'format unwrapped of MongoDB: flatten.struct.delimiter of ExtractNewDocumentState, if its flatten.struct is true, e.g. _'},
    'capture_mode': {
      'type': 'text', 'level': 'both', 'default': 'change_streams_update_full',
      'allowed': ['change_streams', 'change_streams_update_full', 'change_streams_with_pre_image', 'change_streams_update_full_with_pre_image'],
      'help': 'format unwrapped of MongoDB: capture.mode of the connector, which determines whether an update is a document or only its changes; envelopes show it themselves'},
    'settings': {
      'type': 'map', 'level': 'both', 'default': {}, 'keys': afterimage.contract_settings(),
      'help': 'connector settings that change or hide events'},
    'source_fields': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'fields of `source` to add to the change log as text columns _cdc_source_<name>, e.g. [user_name, row_id]; with query or redo_sql, which contain values, refused records are kept as hashes, as with sensitive columns'},
    'headers': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'Kafka headers to add to the change log as text columns _cdc_header_<name> (_ replaces every character except A-Z, a-z, 0-9; the first of repeated headers counts), e.g. [traceparent, tenant-id]'},
    'topic_prefix': {
      'type': 'text', 'level': 'both',
      'help': 'topic.prefix of the connector; identifies the topics around the data (transaction, heartbeat, message)'},
    'side_topics': {
      'type': 'map', 'level': 'both', 'default': {},
      'help': 'topics without rows of a table: {topic: what it is}; their records are counted as unrouted, with that text as their kind'},
    'helper_tables': {
      'type': 'map', 'level': 'both', 'default': {},
      'help': 'tables of the source that serve the connector or a tool, as the source names them: {crew.dbz_signal: signal} (signal, heartbeat, log_mining_flush, online_ddl, capture); no model reads them, and on a topic with other tables their records are ignored'},
    'topic': {
      'type': 'text or list', 'level': 'table', 'required': true,
      'help': 'the topic whose records belong to this table, e.g. pg1.shop.orders, or a list of several (partitions or shards of one table)'},
    'source_tables': {
      'type': 'list', 'level': 'table',
      'help': 'the physical tables whose changes belong to this one, e.g. [shop.orders], for a topic that carries other tables too. Those may have contracts on the same topic; changes of a table that no contract names are refused'},
    'truncate_empties': {
      'type': 'text', 'level': 'both', 'default': 'table', 'allowed': ['table', 'partition'],
      'help': 'what a truncate empties: the whole table, or only the rows whose latest change came from the same physical table (partitions sent as separate tables)'},
    'key': {
      'type': 'list', 'words': ['rowid'], 'level': 'table', 'required': true,
      'help': 'the columns of the primary key, read from the row; [] for a table without one; rowid for an Oracle table without one that Google Datastream reads'},
    'key_within': {
      'type': 'text', 'level': 'both', 'default': 'table', 'allowed': ['table', 'physical_table'],
      'help': 'where a key is unique: in the whole table, or only in each physical table (shards on several servers sent to one model)'},
    'columns': {
      'type': 'map', 'level': 'table', 'required': true,
      'help': 'source columns and their source types, e.g. {order_id: bigint, amount: "numeric(18,4)"}'},
    'former_types': {
      'type': 'map', 'level': 'table', 'default': {},
      'help': 'earlier types of columns: {column: {position: type}}, the type before the first change at that position, e.g. {amount: {"00000000000034338672": "numeric(10,2)"}}'},
    'former_names': {
      'type': 'map', 'level': 'table', 'default': {},
      'help': 'earlier names of columns, the newest first: {column: [names]}, e.g. {title: [caption, name]}; records from before the rename are read under them'},
    'model_names': {
      'type': 'map', 'level': 'table', 'default': {},
      'help': 'names of columns in the models: {column: name}, e.g. {valid_from: price_from}. By default a column keeps its name; a name that afterimage uses, that differs from another only in letter case, or that SQL cannot hold gets a _ (valid_from_)'},
    'null_when_not_sent': {
      'type': 'list', 'level': 'table',
      'help': 'columns whose NULL in an update is read as not sent, for types for which Debezium has no placeholder, e.g. [tags]; [] if their values are never long'},
    'untracked': {
      'type': 'list', 'level': 'table', 'default': [],
      'help': 'columns whose changes alone make no version, e.g. [last_seen_at]: the open version takes their latest values'},
    'deletes': {
      'type': 'text', 'level': 'both', 'default': 'drop', 'allowed': ['drop', 'flag'],
      'help': 'how the current state handles deleted rows: drop leaves them out, flag keeps their last values and sets _cdc_is_deleted'},
    'replica_identity': {
      'type': 'text', 'level': 'both', 'default': 'default', 'allowed': ['default', 'full', 'nothing', 'index'],
      'help': 'REPLICA IDENTITY of a PostgreSQL table: only full makes before images complete (with other connectors they always are)'},
    'sensitive': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'columns whose values never appear in quarantine, logs or report'},
    'masked': {
      'type': 'map', 'level': 'table', 'default': {}, 'each': ['hash', 'drop'],
      'help': 'columns the models must not show, which are also sensitive: {email: hash} keeps the SHA-256 of their text (unsalted: a guessable value can be found), {ssn: drop} leaves them out'},
  }) }}
{% endmacro %}


{#
  Settings of the connector, and of the JSON converter (decimal.format), that change how values are written or which events come, with their
  defaults. Only settings that are read are here; docs/reference/settings.md says why each setting is here or is not needed
  (hstore.handling.mode: both forms are recognised).
  Source: the property tables of the connectors' documentation; Kafka's JsonConverterConfig.
  Out: dict name -> {default, allowed, each}; each: the values allowed in a list.
#}
{% macro contract_settings() %}
  {{ return({
    'decimal_handling_mode': {'default': 'precise', 'allowed': ['precise', 'string', 'double']},
    'decimal_format': {'default': 'BASE64', 'allowed': ['BASE64', 'NUMERIC']},
    'time_precision_mode': {'default': 'adaptive', 'allowed': ['adaptive', 'adaptive_time_microseconds', 'microseconds', 'nanoseconds', 'connect', 'isostring', 'structured']},
    'binary_handling_mode': {'default': 'bytes', 'allowed': ['bytes', 'base64', 'base64-url-safe', 'hex']},
    'interval_handling_mode': {'default': 'numeric', 'allowed': ['numeric', 'string']},
    'money_fraction_digits': {'default': 2},
    'unavailable_value_placeholder': {'default': '__debezium_unavailable_value'},
    'bigint_unsigned_handling_mode': {'default': 'long', 'allowed': ['long', 'precise']},
    'lob_enabled': {'default': false, 'allowed': [false, true]},
    'field_name_adjustment_mode': {'default': 'none', 'allowed': ['none', 'avro', 'avro_unicode']},
    'snapshot_select_statement_overrides': {'default': false, 'allowed': [false, true]},
    'skipped_operations': {'default': ['t'], 'each': (afterimage.operations() | reject('equalto', 'r') | list) + ['none']},
  }) }}
{% endmacro %}
