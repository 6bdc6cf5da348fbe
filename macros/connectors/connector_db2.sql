{#
  Db2. See connector() for the keys. Source: the Db2 connector documentation (change events, data types), 1.7 and 2.3.
  Change tables hold an update as a delete and an insert, both complete. Where their keys differ the connector sends them as a key-change pair at
  one position, linked by headers (so too a delete followed by an insert of another row: the headers come from it, not from the table). Unique keys
  are checked at the end of a statement. Truncates are not captured.
#}
{% macro connector_db2(contract) %}
  {#
    The position of a change in the log: LSN of the commit, LSN of the change. An LSN is hexadecimal; its last part has four digits in the
    documentation and sixteen in the connector's output, so each part is padded:
    00000000000000000000000000031e15.00000000000000000000000000031dff for 00000000:00000000:0000000000031e15 and
    00000000:00000000:0000000000031dff; NULL when a part is none. Snapshot rows have the LSN they were read at as that of the commit, and none
    of a change.
  #}
  {% set form = "'^[0-9A-Fa-f]{1,8}:[0-9A-Fa-f]{1,8}:[0-9A-Fa-f]{1,16}\\\\z'" %}
  {% set commit, change = "source.commit_lsn", "coalesce(nullif(source.change_lsn, 'null'), '0:0:0')" %}
  {% set position = "case when " ~ commit ~ " rlike " ~ form ~ " and " ~ change ~ " rlike " ~ form ~ " then concat("
                    ~ afterimage._padded_lsn(commit) ~ ", '.', " ~ afterimage._padded_lsn(change) ~ ") end" %}
  {{ return({
    'source_fields': ['name', 'db', 'schema', 'table', 'commit_lsn', 'change_lsn'],
    'position_fields': ['commit_lsn'],
    'position': position,
    'position_form': '[0-9a-f]{32}[.][0-9a-f]{32}',
    'table_names': ['source.db', 'source.schema', 'source.table'],
    'position_identifies_row': true,
    'tx_id': 'coalesce(transaction.id, source.commit_lsn)',
    'transaction_place': '{raw}',
    'collection_names': "array(regexp_replace({raw}, '^([^.]+)[.]([^.]+)[.]\\\\1[.]', '$1.$2.'))",
    'allows_key_collisions': true,
    'types': {
      'boolean': ['boolean'],
      'integer': ['smallint', 'int', 'bigint'],
      'float': ['real', 'float', 'double'],
      'decfloat': ['decfloat'],
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
    'type_arguments': {'decimal': [5, 0], 'float': [53], 'time': [0], 'timestamp': [6], 'binary': [1]},
    'largest': {'decimal': 31, 'float': 53, 'timestamp': 12},
    'reported_numbers': {
      'decimal|numeric|dec': ['length', 'scale'],
      'char|varchar|graphic|vargraphic|binary|varbinary|clob|blob|dbclob|character': ['length'], 'timestamp': ['scale'],
    },
    'names_are_capitals': true,
    'topics_without_database': true,
    'types_with_words': ['char', 'varchar', 'clob', 'dbclob', 'blob', 'graphic', 'vargraphic'],
    'type_attributes': ' for (?:sbcs|mixed) data',
    'wrapped_nanoseconds': afterimage.wrapped_nanoseconds(),
  }) }}
{% endmacro %}


{# The three parts of an LSN, each padded to its full length, in lower case (not by lower(), see hex_text). In and out: SQL. #}
{% macro _padded_lsn(lsn) %}
  {% set part = "lpad(substring_index(substring_index(" ~ lsn ~ ", ':', " %}
  {{ return("translate(concat(" ~ part ~ "1), ':', -1), 8, '0'), " ~ part ~ "2), ':', -1), 8, '0'), " ~ part ~ "3), ':', -1), 16, '0')), 'ABCDEF', 'abcdef')") }}
{% endmacro %}
