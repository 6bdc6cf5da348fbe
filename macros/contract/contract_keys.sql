{#
  The keys a contract may hold, in one place: the validator, the errors and the JSON schema
  (docs/reference/contract.schema.json, checked by a test) are made from it.
  Out: dict name -> {type, level, required, allowed, default, help}; level is source, table or both; words, texts that may stand where no text may;
  each, what may stand in a list or map.
#}
{% macro contract_keys() %}
  {{ return({
    'connector': {
      'type': 'text', 'level': 'both', 'required': true, 'allowed': afterimage.connectors() | list,
      'help': 'the system the changes come from; decides position, order and types'},
    'format': {
      'type': 'text', 'level': 'both', 'default': 'debezium_json', 'allowed': afterimage.record_formats() | list,
      'help': 'the shape of a landed record: Debezium envelopes, rows that ExtractNewRecordState took out of them, or CloudEvents; JSON with and without schema block may be mixed. Events of Google Datastream are datastream_json, which connectors datastream_… have without saying'},
    'place_from': {
      'type': 'text', 'level': 'both', 'default': 'coordinates', 'allowed': ['coordinates', 'sort_keys'],
      'help': 'format datastream_json: what orders the changes, the coordinates in the source\'s log (be they told in source_metadata or in sort_keys), or sort_keys element by element, with the clock that is their first'},
    'avro_schemas': {
      'type': 'text', 'level': 'both',
      'help': 'records are in Avro, and this table (schema.table, with columns id, subject, schema) holds the schemas they were written with; afterimage schemas makes it'},
    'avro_framing': {
      'type': 'text', 'level': 'both', 'default': 'confluent', 'allowed': ['confluent', 'apicurio', 'headers'],
      'help': 'where a record in Avro has the id of its schema: behind a zero in four bytes (confluent) or eight (apicurio), or in the headers of Apicurio'},
    'add_fields': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'format unwrapped: add.fields of ExtractNewRecordState as it is set there, e.g. [op, lsn, source.ts_ms]; what is not added the models do not know'},
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
      'help': 'format unwrapped: delete.tombstone.handling.mode of ExtractNewRecordState, which says how a delete is written; under drop deleted rows stay for ever'},
    'drop_fields_header_name': {
      'type': 'text', 'level': 'both',
      'help': 'format unwrapped: drop.fields.header.name of ExtractNewRecordState, where it is set: a field that a row does not have is one that did not change'},
    'array_encoding': {
      'type': 'text', 'level': 'both', 'default': 'array', 'allowed': ['array', 'document'],
      'help': 'format unwrapped of MongoDB: array.encoding of ExtractNewDocumentState; under document an array is an object with fields _0, _1, …'},
    'flatten_struct_delimiter': {
      'type': 'text', 'level': 'both',
      'help': 'format unwrapped of MongoDB, where flatten.struct of ExtractNewDocumentState is true: its flatten.struct.delimiter, e.g. _'},
    'capture_mode': {
      'type': 'text', 'level': 'both', 'default': 'change_streams_update_full',
      'allowed': ['change_streams', 'change_streams_update_full', 'change_streams_with_pre_image', 'change_streams_update_full_with_pre_image'],
      'help': 'format unwrapped of MongoDB: capture.mode of the connector, which says whether an update is a document or what was changed of it; of envelopes each tells'},
    'settings': {
      'type': 'map', 'level': 'both', 'default': {}, 'keys': afterimage.contract_settings(),
      'help': 'connector settings that change or hide events'},
    'source_fields': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'fields of `source` to bring along in the change log as _cdc_source_<name>, texts, e.g. [user_name, row_id]; with query or redo_sql, which hold values, refused records are kept as hashes, as with sensitive columns'},
    'headers': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'Kafka headers to bring along in the change log as _cdc_header_<name>, texts (_ for whatever is none of A-Z, a-z, 0-9; of a header there twice the first), e.g. [traceparent, tenant-id]'},
    'topic_prefix': {
      'type': 'text', 'level': 'both',
      'help': 'topic.prefix of the connector; names the topics around the data (transaction, heartbeat, message)'},
    'side_topics': {
      'type': 'map', 'level': 'both', 'default': {},
      'help': 'topics that hold no rows of a table: {topic: what it is}; their records are counted as ignored'},
    'helper_tables': {
      'type': 'map', 'level': 'both', 'default': {},
      'help': 'tables of the source that serve the connector or a tool, as the source names them: {crew.dbz_signal: signal} (signal, heartbeat, log_mining_flush, online_ddl, capture); no model reads them, and on a topic with other tables their records are ignored'},
    'topic': {
      'type': 'text or list', 'level': 'table', 'required': true,
      'help': 'the topic whose records belong to this table, e.g. pg1.shop.orders; several of them as a list (partitions or shards of one table)'},
    'source_tables': {
      'type': 'list', 'level': 'table',
      'help': 'the physical tables whose changes belong to this one, e.g. [shop.orders], for a topic into which others were routed too. Those may have contracts on the same topic; what none of them names is refused'},
    'truncate_empties': {
      'type': 'text', 'level': 'both', 'default': 'table', 'allowed': ['table', 'partition'],
      'help': 'what a truncate empties: the whole table, or only the rows whose newest change came from the same physical table (partitions sent as tables of their own)'},
    'key': {
      'type': 'list', 'words': ['rowid'], 'level': 'table', 'required': true,
      'help': 'the columns of the primary key, read from the row; [] for a table without one; rowid for a table of Oracle without one that Google Datastream reads'},
    'key_within': {
      'type': 'text', 'level': 'both', 'default': 'table', 'allowed': ['table', 'physical_table'],
      'help': 'where a key is unique: in the whole table, or only in each physical table (shards on several servers sent to one model)'},
    'columns': {
      'type': 'map', 'level': 'table', 'required': true,
      'help': 'source columns and their source types, e.g. {order_id: bigint, amount: "numeric(18,4)"}'},
    'former_types': {
      'type': 'map', 'level': 'table', 'default': {},
      'help': 'types columns had earlier: {column: {position: type}}, the type before the first change at that position, e.g. {amount: {"00000000000034338672": "numeric(10,2)"}}'},
    'former_names': {
      'type': 'map', 'level': 'table', 'default': {},
      'help': 'names columns had earlier, the newest first: {column: [names]}, e.g. {title: [caption, name]}; a record of before the rename is read under them'},
    'model_names': {
      'type': 'map', 'level': 'table', 'default': {},
      'help': 'what the models call columns: {column: name}, e.g. {valid_from: price_from}. Without it a column has its own name; one that is afterimage\'s, that another has but for letter case, or that SQL cannot hold gets a _ (valid_from_)'},
    'null_when_not_sent': {
      'type': 'list', 'level': 'table',
      'help': 'columns whose NULL in an update is read as not sent, for types of which Debezium has no other word for it, e.g. [tags]; [] where their values are never long'},
    'untracked': {
      'type': 'list', 'level': 'table', 'default': [],
      'help': 'columns whose changes alone make no version, e.g. [last_seen_at]: the open version takes their newest values'},
    'deletes': {
      'type': 'text', 'level': 'both', 'default': 'drop', 'allowed': ['drop', 'flag'],
      'help': 'what becomes of deleted rows in the current state: they are left out, or kept as they were last and flagged by _cdc_is_deleted'},
    'replica_identity': {
      'type': 'text', 'level': 'both', 'default': 'default', 'allowed': ['default', 'full', 'nothing', 'index'],
      'help': 'REPLICA IDENTITY of a PostgreSQL table: only full makes before images whole (of other connectors they always are)'},
    'sensitive': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'columns whose values never appear in quarantine, logs or report'},
    'masked': {
      'type': 'map', 'level': 'table', 'default': {}, 'each': ['hash', 'drop'],
      'help': 'columns the models must not show, which are sensitive too: {email: hash} keeps the SHA-256 of their text (without salt: what can be guessed can be found), {ssn: drop} leaves them out'},
  }) }}
{% endmacro %}


{#
  Settings of the connector, and of the JSON converter (decimal.format), that change how values are written or which events come, with their
  defaults. Only what is read is here; docs/reference/settings.md says of every setting why it is here, or why it need not be
  (hstore.handling.mode: both forms are known by their look).
  Source: the property tables of the connectors' documentation; Kafka's JsonConverterConfig.
  Out: dict name -> {default, allowed, each}; each: what may stand in a list.
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
