{# PostgreSQL. See connector() for the keys. Source: the PostgreSQL connector documentation (data types, replica identity). #}
{% macro connector_postgresql(contract) %}
  {{ return({
    'source_fields': ['name', 'lsn', 'sequence', 'txId', 'schema', 'table'],
    'position_fields': ['lsn'],
    'position': afterimage.position_postgresql('source'),
    'position_form': '[0-9]{20}',
    'source_table': "concat_ws('.', source.name, source.schema, source.table)",
    'committed_after': afterimage.committed_after_postgresql('source'),
    'place_is_of_a_row': true,
    'tx_id': 'source.txId',
    'before_is_whole': contract['replica_identity'] == 'full',
    'two_rows_may_meet': true,
    'types': {
      'boolean': ['boolean'],
      'integer': ['smallint', 'int', 'bigint', 'oid'],
      'float': ['real', 'double'],
      'numeric': ['numeric', 'money'],
      'text': ['text', 'varchar', 'char', 'citext', 'name', 'uuid', 'xml', 'json', 'jsonb', 'enum', 'ltree', 'inet', 'cidr', 'macaddr',
               'macaddr8', 'timetz', 'tsvector', 'hstore', 'int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange'],
      'binary': ['bytea'],
      'bits': ['bit', 'varbit'],
      'date': ['date'],
      'time': ['time'],
      'timestamp': ['timestamp'],
      'timestamptz': ['timestamptz'],
      'interval': ['interval'],
      'point': ['point'],
    },
    'type_aliases': {
      'bool': 'boolean', 'int2': 'smallint', 'smallserial': 'smallint', 'integer': 'int', 'int4': 'int', 'serial': 'int',
      'int8': 'bigint', 'bigserial': 'bigint', 'float4': 'real', 'float8': 'double', 'double precision': 'double', 'decimal': 'numeric',
      'character varying': 'varchar', 'character': 'char', 'bpchar': 'char', 'bit varying': 'varbit',
    },
    'type_arguments': {'bit': [1], 'time': [6], 'timestamp': [6]},
  }) }}
{% endmacro %}
