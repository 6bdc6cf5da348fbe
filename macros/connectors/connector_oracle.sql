{#
  Oracle, by any of its adapters (logminer, logminer_unbuffered, xstream, olr). See connector() for the keys. Source: the Oracle connector
  documentation of 1.9, 2.3 and 3.3 (change events, data types, supplemental logging).
  With supplemental logging of all columns, which is required, before images are full except for LOBs. Unique keys are checked at the end of a
  statement, or of the transaction. Several rows may share one SCN (the deletes of one statement), so a position does not identify a row;
  headers link key-change pairs.
#}
{% macro connector_oracle(contract) %}
  {#
    The SCN of a change, as text of 20 digits; NULL when it is no number. It comes as text of as many digits as it has, or as a number; for a
    snapshot row it is the one the row was read as of.
    Versions of one row follow its order, because the row lock orders their writers. Many changes share one: the order within the
    transaction, where it is sent, and the landing coordinate tell them apart. commit_scn is no part of it, because before 3.x it is the
    commit of another transaction (see below), nor are rs_id and ssn: not every adapter sends the first, and the other is always the same.
  #}
  {% set position = "case when source.scn rlike '^[0-9]{1,20}\\\\z' then lpad(source.scn, 20, '0') end" %}
  {#
    An SCN at which the change's transaction was not yet committed: the one before commit_scn, as 20 digits; NULL where there is none (olr,
    snapshots). From 3.x that is the transaction's own commit; before, on all but its last event, an earlier one of the same redo thread, which
    the transaction's own follows. Either way the change is newer than a snapshot row that was read as of such an SCN.
    The connector's own offsets may hold several commits (324567897: 0x2832343233323:1); an event has one number.
  #}
  {% set committed_after = "case when source.commit_scn rlike '^0*[1-9][0-9]{0,19}$'"
                           ~ " then lpad(cast(cast(source.commit_scn as decimal(20,0)) - 1 as string), 20, '0') end" %}
  {#
    The id of a transaction. The record of its END has it as `5.6.641`, changes in that form too, or as eight bytes in hex, low bytes first
    within each part: 0500060081020000.
  #}
  {% set parts = [] %}
  {% for first, bytes in [(1, 2), (5, 2), (9, 4)] %}
    {% set low_first = [] %}
    {% for byte in range(bytes) | reverse %}{% do low_first.append('substring({raw}, ' ~ (first + 2 * byte) ~ ', 2)') %}{% endfor %}
    {% do parts.append('conv(concat(' ~ low_first | join(', ') ~ '), 16, 10)') %}
  {% endfor %}
  {{ return({
    'source_fields': ['name', 'db', 'schema', 'table', 'scn', 'commit_scn', 'txId', 'txSeq'],
    'position_fields': ['scn'],
    'position': position,
    'position_form': '[0-9]{20}',
    'table_names': ['source.db', 'source.schema', 'source.table'],
    'committed_after': committed_after,
    'tx_id': 'coalesce(source.txId, transaction.id)',
    'tx_order': 'coalesce(transaction.total_order, source.txSeq)',
    'transaction_id': "if({raw} rlike '^[0-9A-Fa-f]{16}$', concat_ws('.', " ~ parts | join(', ') ~ "), {raw})",
    'allows_key_collisions': true,
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
    'reported_numbers': {'number|decimal|numeric': ['length', 'scale'], 'char|varchar|varchar2|nchar|nvarchar2|raw|float': ['length']},
    'names_are_capitals': true,
    'topics_without_database': true,
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
