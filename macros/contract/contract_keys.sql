{#
  The keys a contract may hold, in one place: the validator, the errors and the JSON schema
  (docs/reference/contract.schema.json, checked by a test) are made from it.
  Out: dict name -> {type, level, required, allowed, default, help}; level is source, table or both.
#}
{% macro contract_keys() %}
  {{ return({
    'connector': {
      'type': 'text', 'level': 'both', 'required': true, 'allowed': afterimage.connectors(),
      'help': 'the system the changes come from; decides position, order and types'},
    'format': {
      'type': 'text', 'level': 'both', 'default': 'debezium_json', 'allowed': ['debezium_json'],
      'help': 'the shape of a landed record; Debezium JSON with and without schema block may be mixed'},
    'settings': {
      'type': 'map', 'level': 'both', 'default': {}, 'keys': afterimage.contract_settings(),
      'help': 'connector settings that change or hide events'},
    'topic_prefix': {
      'type': 'text', 'level': 'both',
      'help': 'topic.prefix of the connector; names the topics around the data (transaction, heartbeat, message)'},
    'side_topics': {
      'type': 'map', 'level': 'both', 'default': {},
      'help': 'topics that hold no rows of a table: {topic: what it is}; their records are counted as ignored'},
    'topic': {
      'type': 'text or list', 'level': 'table', 'required': true,
      'help': 'the topic whose records belong to this table, e.g. pg1.shop.orders; several of them as a list (partitions or shards of one table)'},
    'truncate_empties': {
      'type': 'text', 'level': 'both', 'default': 'table', 'allowed': ['table', 'partition'],
      'help': 'what a truncate empties: the whole table, or only the rows whose newest change came from the same physical table (partitions sent as tables of their own)'},
    'key': {
      'type': 'list', 'level': 'table', 'required': true,
      'help': 'the columns of the primary key, read from the row; [] for a table without one'},
    'key_within': {
      'type': 'text', 'level': 'both', 'default': 'table', 'allowed': ['table', 'physical_table'],
      'help': 'where a key is unique: in the whole table, or only in each physical table (shards on several servers sent to one model)'},
    'columns': {
      'type': 'map', 'level': 'table', 'required': true,
      'help': 'source columns and their source types, e.g. {order_id: bigint, amount: "numeric(18,4)"}'},
    'former_types': {
      'type': 'map', 'level': 'table', 'default': {},
      'help': 'types columns had earlier: {column: {position: type}}, the type before the first change at that position, e.g. {amount: {"00000000000034338672": "numeric(10,2)"}}'},
    'untracked': {
      'type': 'list', 'level': 'table', 'default': [],
      'help': 'columns whose changes alone make no version, e.g. [last_seen_at]: the open version takes their newest values'},
    'deletes': {
      'type': 'text', 'level': 'both', 'default': 'drop', 'allowed': ['drop', 'flag'],
      'help': 'what becomes of deleted rows in the current state: they are left out, or kept as they were last and flagged by _cdc_is_deleted'},
    'replica_identity': {
      'type': 'text', 'level': 'both', 'default': 'default', 'allowed': ['default', 'full', 'nothing', 'index'],
      'help': 'REPLICA IDENTITY of a PostgreSQL table: only full makes before images whole (MySQL and MariaDB: they always are)'},
    'sensitive': {
      'type': 'list', 'level': 'both', 'default': [],
      'help': 'columns whose values never appear in quarantine, logs or report'},
    'masked': {
      'type': 'map', 'level': 'table', 'default': {},
      'help': 'columns the models must not show, which are sensitive too: {email: hash} keeps the SHA-256 of their text (without salt: what can be guessed can be found), {ssn: drop} leaves them out'},
  }) }}
{% endmacro %}


{#
  Settings of the connector, and of the JSON converter (decimal.format), that change how values are written, with their defaults.
  Source: the property tables of the connectors' documentation; Kafka's JsonConverterConfig.
#}
{% macro contract_settings() %}
  {{ return({
    'decimal_handling_mode': {'default': 'precise', 'allowed': ['precise', 'string', 'double']},
    'decimal_format': {'default': 'BASE64', 'allowed': ['BASE64', 'NUMERIC']},
    'time_precision_mode': {'default': 'adaptive', 'allowed': ['adaptive', 'adaptive_time_microseconds', 'microseconds', 'nanoseconds', 'connect', 'isostring', 'structured']},
    'binary_handling_mode': {'default': 'bytes', 'allowed': ['bytes', 'base64', 'base64-url-safe', 'hex']},
    'interval_handling_mode': {'default': 'numeric', 'allowed': ['numeric', 'string']},
    'hstore_handling_mode': {'default': 'json', 'allowed': ['json', 'map']},
    'money_fraction_digits': {'default': 2},
    'unavailable_value_placeholder': {'default': '__debezium_unavailable_value'},
    'bigint_unsigned_handling_mode': {'default': 'long', 'allowed': ['long', 'precise']},
    'skipped_operations': {'default': ['t']},
  }) }}
{% endmacro %}
