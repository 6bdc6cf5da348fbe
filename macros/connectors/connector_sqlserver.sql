{#
  SQL Server. See connector() for the keys. Source: the SQL Server connector documentation (change events, data types).
  Change tables hold both full images of a row, and a change of many keys as all its deletes and then all its inserts, so keys
  never collide. The events of a key-change pair have serial numbers of their own, and no header links them. Truncates are not captured.
#}
{% macro connector_sqlserver(contract) %}
  {#
    The position of a change in the log of its database: LSN of the commit, LSN of the change, serial number among the changes at these:
    0000002700000ac00007.0000002700000ac00002.0000000000000000002 for 00000027:00000ac0:0007, 00000027:00000ac0:0002 and 2; NULL when a part is
    none. An LSN is hexadecimal and of fixed length, so text order is number order.
    The serial number is text in some documents and a number in others; an update has 2, because its two rows are one event. Snapshot rows
    have the greatest LSN there was when they were read, and neither of the other two (the id of a CloudEvent says null).
    Positions of two databases cannot be compared.
  #}
  {% set form = "'^[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{4}\\\\z'" %}
  {% set change = "coalesce(nullif(source.change_lsn, 'null'), '00000000:00000000:0000')" %}
  {% set serial = "coalesce(nullif(source.event_serial_no, 'null'), '0')" %}
  {# not by lower(), see hex_text #}
  {% set places = "translate(concat(source.commit_lsn, '.', " ~ change ~ "), 'ABCDEF:', 'abcdef')" %}
  {% set position = "case when source.commit_lsn rlike " ~ form ~ " and " ~ change ~ " rlike " ~ form ~ " and " ~ serial ~ " rlike '^[0-9]{1,19}\\\\z'"
                    ~ " then concat(" ~ places ~ ", '.', lpad(" ~ serial ~ ", 19, '0')) end" %}
  {{ return({
    'source_fields': ['name', 'db', 'schema', 'table', 'commit_lsn', 'change_lsn', 'event_serial_no'],
    'position_fields': ['commit_lsn'],
    'position': position,
    'position_form': '[0-9a-f]{20}[.][0-9a-f]{20}[.][0-9]{19}',
    'table_names': ['source.db', 'source.schema', 'source.table'],
    'tx_id': 'coalesce(transaction.id, source.commit_lsn)',
    'transaction_place': '{raw}',
    'collection_names': "array(regexp_replace({raw}, '^([^.]+)[.]([^.]+)[.]\\\\1[.]', '$1.$2.'))",
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
      'datetimeoffset': [7], 'binary': [1],
    },
    'largest': {'decimal': 38, 'float': 53, 'time': 7, 'datetime2': 7, 'datetimeoffset': 7},
    'reported_numbers': {
      'decimal|numeric': ['length', 'scale'], 'char|varchar|nchar|nvarchar|binary|varbinary': ['length'], 'time|datetime2|datetimeoffset': ['scale'],
    },
    'types_with_words': ['varchar', 'nvarchar', 'varbinary'],
    'type_attributes': '(?: identity(?: ?[(][0-9 ,-]*[)])?| collate [a-z0-9_]+)+',
    'lobs': ['text', 'ntext', 'image'],
    'wrapped_nanoseconds': afterimage.wrapped_nanoseconds(),
  }) }}
{% endmacro %}
