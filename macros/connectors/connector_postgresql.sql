{# PostgreSQL. See connector() for the keys. Source: the PostgreSQL connector documentation (data types, replica identity). #}
{% macro connector_postgresql(contract) %}
  {{ return({
    'source_fields': ['name', 'lsn', 'sequence', 'txId', 'schema', 'table'],
    'position_fields': ['lsn'],
    'position': afterimage._position_postgresql(),
    'position_form': '[0-9]{20}',
    'table_names': ['source.schema', 'source.table'],
    'committed_after': afterimage._committed_after_postgresql(),
    'position_identifies_row': true,
    'tx_id': "coalesce(source.txId, substring_index(transaction.id, ':', 1))",
    'transaction_id': "substring_index({raw}, ':', 1)",
    'transaction_place': "lpad(substring_index({raw}, ':', -1), 20, '0')",
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


{#
  The place of a change in the write-ahead log as 20 digits, so that text order is number order.
  source.lsn is write order: it goes back between transactions but never within one key (row locks).
  Incremental snapshot rows have no lsn; their place is the second element of source.sequence.
  Out: SQL text, NULL when neither is there.
#}
{% macro _position_postgresql() %}
  {{ return("lpad(cast(coalesce(try_cast(source.lsn as bigint), " ~ afterimage._sequence_postgresql(2) ~ ") as string), 20, '0')") }}
{% endmacro %}


{#
  An element of source.sequence, which is JSON text of two places in the log, ["24023119","24023128"], either of them may be null.
  In: 1 or 2. Out: SQL bigint, NULL when it is not there. Cut out as text: a JSON parser of its own for each record costs more.
#}
{% macro _sequence_postgresql(element) %}
  {{ return("try_cast(translate(split_part(source.sequence, ',', " ~ element ~ "), '[]\" ', '') as bigint)") }}
{% endmacro %}


{#
  The last commit read before the change's own transaction (first element of source.sequence): the change was not yet committed there.
  It lies behind the change itself where another transaction committed in between.
  Out: SQL text of 20 digits; NULL before the first commit that was read.
#}
{% macro _committed_after_postgresql() %}
  {{ return("lpad(cast(" ~ afterimage._sequence_postgresql(1) ~ " as string), 20, '0')") }}
{% endmacro %}
