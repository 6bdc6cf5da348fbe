{#
  Oracle, by any of its adapters (logminer, logminer_unbuffered, xstream, olr). See connector() for the keys. Source: the Oracle connector
  documentation of 1.9, 2.3 and 3.3 (change events, data types, supplemental logging).
  With supplemental logging of all columns, which is required, before images are whole but for LOBs. Unique keys are checked at the end of a
  statement, or of the transaction. Several rows may lie at one SCN (the deletes of one statement), so a place says nothing of a row; the
  halves of a key change are linked by headers.
#}
{% macro connector_oracle(contract) %}
  {{ return({
    'source_fields': ['name', 'db', 'schema', 'table', 'scn', 'commit_scn', 'txId', 'txSeq'],
    'position_fields': ['scn'],
    'position': afterimage.position_oracle('source'),
    'position_form': '[0-9]{20}',
    'source_table': "concat_ws('.', source.name, source.db, source.schema, source.table)",
    'table_in_source': "concat_ws('.', source.db, source.schema, source.table)",
    'committed_after': afterimage.committed_after_oracle('source'),
    'place_is_of_a_row': false,
    'tx_id': 'coalesce(source.txId, transaction.id)',
    'tx_order': 'coalesce(transaction.total_order, source.txSeq)',
    'before_is_whole': true,
    'two_rows_may_meet': true,
    'types': {
      'number': ['number', 'integer', 'decimal', 'float'],
      'tinyint': ['boolean'],
      'float': ['binary_float', 'binary_double'],
      'text': ['char', 'nchar', 'varchar', 'varchar2', 'nvarchar2', 'clob', 'nclob', 'xmltype', 'rowid'],
      'binary': ['raw', 'blob'],
      'timestamp': ['date', 'timestamp'],
      'timestamptz': ['timestamptz'],
      'interval': ['interval'],
    },
    'type_aliases': {
      'int': 'integer', 'smallint': 'integer', 'dec': 'decimal', 'numeric': 'decimal', 'real': 'float', 'double precision': 'float',
      'character': 'char', 'char varying': 'varchar2', 'character varying': 'varchar2', 'national char': 'nchar', 'national character': 'nchar',
      'national char varying': 'nvarchar2', 'national character varying': 'nvarchar2', 'nchar varying': 'nvarchar2',
    },
    'type_arguments': {'integer': [38, 0], 'decimal': [38, 0], 'date': [0], 'timestamp': [6]},
    'largest': {'number': 38, 'decimal': 38, 'float': 126, 'timestamp': 9, 'timestamptz': 9},
    'types_with_words': ['char', 'nchar', 'varchar', 'varchar2', 'nvarchar2'],
    'type_attributes': '(?<=^interval) (?:year|day)(?: ?[(] ?[0-9] ?[)])? to (?:month|second)(?: ?[(] ?[0-9] ?[)])?',
    'floating_intervals': true,
    'lobs_may_be_off': true,
    'lob_parts': 'lcr_position',
    'lobs': ['clob', 'nclob', 'blob', 'xmltype'],
    'longest': {'varchar2': 4000, 'varchar': 4000, 'nvarchar2': 2000, 'raw': 2000},
    'wrapped_nanoseconds': afterimage.wrapped_nanoseconds(),
  }) }}
{% endmacro %}
