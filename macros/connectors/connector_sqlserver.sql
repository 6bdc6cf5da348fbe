{#
  SQL Server. See connector() for the keys. Source: the SQL Server connector documentation (change events, data types).
  Change tables hold both images of a row whole, and a change of many keys as all its deletes and then all its inserts, so no two rows
  ever meet. The halves of a key change have serial numbers of their own, and no header links them. Truncates are not captured.
#}
{% macro connector_sqlserver(contract) %}
  {{ return({
    'source_fields': ['name', 'db', 'schema', 'table', 'commit_lsn', 'change_lsn', 'event_serial_no'],
    'position_fields': ['commit_lsn'],
    'position': afterimage.position_sqlserver('source'),
    'position_form': '[0-9a-f]{20}[.][0-9a-f]{20}[.][0-9]{19}',
    'source_table': "concat_ws('.', source.name, source.db, source.schema, source.table)",
    'table_in_source': "concat_ws('.', source.db, source.schema, source.table)",
    'committed_after': none,
    'place_is_of_a_row': false,
    'tx_id': 'coalesce(transaction.id, source.commit_lsn)',
    'before_is_whole': true,
    'two_rows_may_meet': false,
    'types': {
      'boolean': ['bit'],
      'integer': ['smallint', 'int', 'bigint'],
      'float': ['real', 'float'],
      'numeric': ['decimal', 'money', 'smallmoney'],
      'text': ['char', 'varchar', 'text', 'nchar', 'nvarchar', 'ntext', 'xml', 'uniqueidentifier', 'sysname'],
      'binary': ['binary', 'varbinary', 'image', 'rowversion', 'hierarchyid'],
      'date': ['date'],
      'time': ['time'],
      'timestamp': ['datetime', 'smalldatetime', 'datetime2'],
      'timestamptz': ['datetimeoffset'],
    },
    'type_aliases': {
      'tinyint': 'smallint', 'integer': 'int', 'dec': 'decimal', 'numeric': 'decimal', 'double precision': 'float', 'timestamp': 'rowversion',
      'character': 'char', 'character varying': 'varchar', 'char varying': 'varchar', 'national char': 'nchar', 'nchar varying': 'nvarchar', 'national character': 'nchar',
      'national character varying': 'nvarchar', 'national char varying': 'nvarchar', 'national text': 'ntext', 'binary varying': 'varbinary',
    },
    'type_arguments': {
      'decimal': [18, 0], 'money': [19, 4], 'smallmoney': [10, 4], 'float': [53], 'time': [7], 'datetime': [3], 'smalldatetime': [0], 'datetime2': [7],
      'datetimeoffset': [7],
    },
    'largest': {'decimal': 38, 'float': 53, 'time': 7, 'datetime2': 7, 'datetimeoffset': 7},
    'types_with_words': ['varchar', 'nvarchar', 'varbinary'],
    'type_attributes': '(?: identity(?: ?[(][0-9 ,-]*[)])?| collate [a-z0-9_]+)+',
    'lobs': ['text', 'ntext', 'image'],
    'wrapped_nanoseconds': afterimage.wrapped_nanoseconds(),
  }) }}
{% endmacro %}
