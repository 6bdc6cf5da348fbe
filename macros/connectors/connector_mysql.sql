{#
  MySQL and MariaDB. See connector() for the keys. Source: the MySQL and MariaDB connector documentation (data types, required settings).
  They require binlog_row_image=FULL, so before images are full; unique keys are checked row by row, so keys never collide.
  A compressed transaction has one position for all its changes, so sharing it says nothing about a row.
#}
{% macro connector_mysql(contract) %}
  {#
    The position of a change in the binary log: number of the file, position in it, row of the event, each padded so that
    text order is number order: 0000000003.000000000484.0000000001; NULL when a part is missing or longer than its field.
    The name of a file is no number (999999 comes before 1000000), and positions start again in each file. Snapshot rows share the position
    where the reading began. Where the transaction gives the order of its changes, that counts and the row does not: in a compressed
    transaction all events share one position, and `row` starts again with each statement.
  #}
  {% set number = "regexp_extract(source.file, '[.]([0-9]+)$', 1)" %}
  {% set row = "if(transaction.total_order is null, coalesce(source.row, '0'), '0')" %}
  {% set position = "case when " ~ number ~ " rlike '^[0-9]{1,10}$' and source.pos rlike '^[0-9]{1,12}$' and " ~ row ~ " rlike '^[0-9]{1,10}$'"
                    ~ " then concat_ws('.', lpad(" ~ number ~ ", 10, '0'), lpad(source.pos, 12, '0'), lpad(" ~ row ~ ", 10, '0')) end" %}
  {{ return({
    'source_fields': ['name', 'file', 'pos', 'row', 'gtid', 'db', 'table'],
    'position_fields': ['file', 'pos'],
    'position': position,
    'position_form': '[0-9]{10}[.][0-9]{12}[.][0-9]{10}',
    'table_names': ['source.db', 'source.table'],
    'tx_id': 'coalesce(transaction.id, source.gtid)',
    'transaction_place': "concat(lpad(regexp_extract({raw}, '[.]([0-9]+),pos=', 1), 10, '0'), lpad(regexp_extract({raw}, '([0-9]+)$', 1), 20, '0'))",
    'may_tell_key_alone': true,
    'types': {
      'tinyint': ['tinyint', 'boolean'],
      'integer': ['smallint', 'mediumint', 'int', 'bigint', 'year'],
      'float': ['float', 'double'],
      'numeric': ['decimal'],
      'text': ['char', 'varchar', 'text', 'set', 'uuid', 'inet4', 'inet6'] + (['json'] if contract['connector'] == 'mariadb' else []),
      'json': ['json'] if contract['connector'] == 'mysql' else [],
      'enum': ['enum'],
      'binary': ['binary', 'varbinary', 'blob'],
      'bits': ['bit'],
      'date': ['date'],
      'duration': ['time'],
      'timestamp': ['datetime'],
      'timestamptz': ['timestamp'],
      'geometry': ['geometry', 'point', 'linestring', 'polygon', 'multipoint', 'multilinestring', 'multipolygon', 'geometrycollection'],
      'vector': ['vector'],
    },
    'type_aliases': {
      'bool': 'boolean', 'int1': 'tinyint', 'int2': 'smallint', 'int3': 'mediumint', 'middleint': 'mediumint', 'int4': 'int', 'integer': 'int',
      'int8': 'bigint', 'serial': 'bigint unsigned', 'real': 'double', 'double precision': 'double', 'float4': 'float', 'float8': 'double',
      'numeric': 'decimal', 'dec': 'decimal', 'fixed': 'decimal', 'character': 'char', 'nchar': 'char', 'national char': 'char',
      'national character': 'char', 'char byte': 'binary', 'character varying': 'varchar', 'char varying': 'varchar', 'varcharacter': 'varchar',
      'nvarchar': 'varchar', 'national varchar': 'varchar', 'national varcharacter': 'varchar', 'national character varying': 'varchar',
      'national char varying': 'varchar', 'nchar varchar': 'varchar', 'nchar varying': 'varchar', 'tinytext': 'text', 'mediumtext': 'text',
      'longtext': 'text', 'long': 'text', 'long varchar': 'text', 'long char varying': 'text', 'long varbinary': 'blob', 'tinyblob': 'blob',
      'mediumblob': 'blob', 'longblob': 'blob', 'geomcollection': 'geometrycollection',
    },
    'type_arguments': {'decimal': [10, 0], 'bit': [1], 'datetime': [0], 'binary': [1]},
    'type_attributes': '(?: (?:character set|charset|collate)(?: ?= ?| )(?!binary)[a-z0-9_]+| ascii| unicode| srid [0-9]+| signed)+',
    'largest': {'decimal': 65, 'bit': 64, 'time': 6, 'datetime': 6, 'timestamp': 6},
    'reported_numbers': {
      'decimal|numeric|dec|fixed': ['length', 'scale'],
      'char|varchar|binary|varbinary|bit|time|datetime|timestamp|vector|tinyint|nchar|nvarchar': ['length'],
    },
    'reported_boolean': 'tinyint(1)',
    'ddl_is_of_mysql': true,
    'placeholder_may_be_hex': contract['connector'] == 'mysql',
    'position_metrics': ['BinlogFilename', 'BinlogPosition'],
    'zero_dates': true,
  }) }}
{% endmacro %}
