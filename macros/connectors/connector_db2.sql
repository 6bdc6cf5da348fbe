{#
  Db2. See connector() for the keys. Source: the Db2 connector documentation (change events, data types), 1.7 and 2.3.
  Change tables hold an update as a delete and an insert, whole both; where their keys differ the connector sends them as two halves at one
  place, linked by headers (so too a delete that an insert of another row follows: the headers are its word, not the table's). Unique keys
  are checked at the end of a statement. Truncates are not captured.
#}
{% macro connector_db2(contract) %}
  {{ return({
    'source_fields': ['name', 'db', 'schema', 'table', 'commit_lsn', 'change_lsn'],
    'position_fields': ['commit_lsn'],
    'position': afterimage.position_db2('source'),
    'position_form': '[0-9a-f]{32}[.][0-9a-f]{32}',
    'source_table': "concat_ws('.', source.name, source.db, source.schema, source.table)",
    'table_in_source': "concat_ws('.', source.db, source.schema, source.table)",
    'committed_after': none,
    'place_is_of_a_row': true,
    'tx_id': 'coalesce(transaction.id, source.commit_lsn)',
    'before_is_whole': true,
    'two_rows_may_meet': true,
    'types': {
      'boolean': ['boolean'],
      'integer': ['smallint', 'int', 'bigint'],
      'float': ['real', 'float', 'double', 'decfloat'],
      'numeric': ['decimal'],
      'text': ['char', 'varchar', 'long varchar', 'graphic', 'vargraphic', 'long vargraphic', 'clob', 'dbclob', 'xml'],
      'binary': ['binary', 'varbinary', 'blob'],
      'date': ['date'],
      'time': ['time'],
      'timestamp': ['timestamp'],
    },
    'type_aliases': {
      'integer': 'int', 'dec': 'decimal', 'numeric': 'decimal', 'num': 'decimal', 'double precision': 'double', 'character': 'char',
      'character varying': 'varchar', 'char varying': 'varchar', 'character large object': 'clob', 'char large object': 'clob',
      'binary varying': 'varbinary', 'binary large object': 'blob',
    },
    'type_arguments': {'decimal': [5, 0], 'float': [53], 'time': [0], 'timestamp': [6]},
    'largest': {'decimal': 31, 'float': 53, 'timestamp': 12},
    'types_with_words': ['char', 'varchar', 'clob', 'dbclob', 'blob', 'graphic', 'vargraphic'],
    'type_attributes': ' for (?:sbcs|mixed) data',
    'wrapped_nanoseconds': afterimage.wrapped_nanoseconds(),
  }) }}
{% endmacro %}
