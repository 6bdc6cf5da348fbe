{# PostgreSQL. See connector() for the keys. Source: the PostgreSQL connector documentation (data types, replica identity). #}
{% macro connector_postgresql(contract) %}
  {#
    An element of source.sequence, which is JSON text of two positions in the log, ["24023119","24023128"], either of which may be null: the last
    commit read before the change's own transaction, where the change was not yet committed, and its own position. Cut out as text: a JSON parser
    for each record costs more.
  #}
  {% set element = "try_cast(translate(split_part(source.sequence, ',', %d), '[]\" ', '') as bigint)" %}
  {#
    The position of a change in the write-ahead log as 20 digits, so that text order is number order; NULL when neither is there.
    source.lsn is write order: it regresses between transactions but never within one key (row locks). Incremental snapshot rows have no lsn.
  #}
  {% set position = "lpad(cast(coalesce(try_cast(source.lsn as bigint), " ~ element % 2 ~ ") as string), 20, '0')" %}
  {# NULL before the first commit that was read; it is after the change itself where another transaction committed in between #}
  {% set committed_after = "lpad(cast(" ~ element % 1 ~ " as string), 20, '0')" %}
  {{ return({
    'source_fields': ['name', 'lsn', 'sequence', 'txId', 'schema', 'table'],
    'position_fields': ['lsn'],
    'position': position,
    'position_form': '[0-9]{20}',
    'table_names': ['source.schema', 'source.table'],
    'committed_after': committed_after,
    'position_identifies_row': true,
    'tx_id': "coalesce(source.txId, substring_index(transaction.id, ':', 1))",
    'transaction_id': "substring_index({raw}, ':', 1)",
    'transaction_place': "lpad(substring_index({raw}, ':', -1), 20, '0')",
    'has_replica_identity': true,
    'before_is_whole': contract['replica_identity'] == 'full',
    'allows_key_collisions': true,
    'types': {
      'boolean': ['boolean'],
      'integer': ['smallint', 'int', 'bigint', 'oid'],
      'float': ['real', 'double', 'float'],
      'numeric': ['numeric', 'money'],
      'text': ['text', 'varchar', 'char', 'citext', 'name', 'uuid', 'xml', 'json', 'jsonb', 'enum', 'ltree', 'inet', 'cidr', 'macaddr',
               'macaddr8', 'tsvector', 'hstore', 'int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange'],
      'binary': ['bytea'],
      'bits': ['bit', 'varbit'],
      'date': ['date'],
      'time': ['time'],
      'timetz': ['timetz'],
      'timestamp': ['timestamp'],
      'timestamptz': ['timestamptz'],
      'interval': ['interval'],
      'point': ['point'],
      'geometry': ['geometry', 'geography'],
      'shape': ['box', 'lseg', 'path', 'polygon', 'circle', 'line'],
      'vector': ['vector', 'halfvec'],
      'sparse_vector': ['sparsevec'],
    },
    'type_aliases': {
      'bool': 'boolean', 'int2': 'smallint', 'smallserial': 'smallint', 'serial2': 'smallint', 'integer': 'int', 'int4': 'int', 'serial': 'int',
      'serial4': 'int', 'int8': 'bigint', 'bigserial': 'bigint', 'serial8': 'bigint', 'float4': 'real', 'float8': 'double',
      'double precision': 'double', 'decimal': 'numeric', 'dec': 'numeric', 'character varying': 'varchar', 'char varying': 'varchar',
      'national character varying': 'varchar', 'national char varying': 'varchar', 'nchar varying': 'varchar', 'character': 'char',
      'bpchar': 'char', 'national character': 'char', 'national char': 'char', 'nchar': 'char', 'bit varying': 'varbit',
    },
    'type_arguments': {'bit': [1], 'time': [6], 'timestamp': [6], 'float': [53]},
    'largest': {'numeric': 1000, 'time': 6, 'timetz': 6, 'timestamp': 6, 'timestamptz': 6, 'float': 53},
    'placeholder_may_be_hex': true,
    'null_when_not_sent_types': {
      'alone': ['geometry', 'geography', 'vector', 'halfvec', 'sparsevec'],
      'elements': ['text', 'varchar', 'char', 'json', 'jsonb', 'int', 'bigint', 'date', 'uuid', 'bytea'],
    },
    'has_arrays': true,
    'types_with_words': ['geometry', 'geography'],
    'type_attributes': '(?<=^interval) (?:year|month|day|hour|minute|second)(?: to (?:month|hour|minute|second))?(?: ?[(] ?[0-9] ?[)])?',
  }) }}
{% endmacro %}
