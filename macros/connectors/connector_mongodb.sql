{#
  MongoDB. See connector() for the keys. Source: the MongoDB connector documentation (change events, data types); the Extended JSON
  specification, v1 (strict) and v2.
  A row is a document, sent as JSON within a text; the columns of a contract are paths into it. `_id` never changes, nothing is truncated,
  and what an update tells may be only what it changed (see documents_carried).
#}
{% macro connector_mongodb(contract) %}
  {{ return({
    'source_fields': ['ts_ms', 'name', 'rs', 'db', 'collection', 'ord', 'lsid', 'txnNumber'],
    'position_fields': ['ts_ms', 'ord'],
    'position': afterimage.position_mongodb('source'),
    'position_form': '[0-9]{18}[.][0-9]{10}',
    'source_table': "concat_ws('.', source.name, source.rs, source.db, source.collection)",
    'table_in_source': "concat_ws('.', source.db, source.collection)",
    'committed_after': none,
    'place_is_of_a_row': false,
    'tx_id': "coalesce(transaction.id, if(source.txnNumber is null, null, concat(source.lsid, ':', source.txnNumber)))",
    'before_is_whole': false,
    'two_rows_may_meet': false,
    'is_document': true,
    'has_bare_values': contract['format'] == 'unwrapped',
    'types': {
      'bson_objectid': ['objectid'],
      'bson_string': ['string'],
      'bson_integer': ['int', 'long'],
      'bson_double': ['double'],
      'bson_decimal': ['decimal'],
      'bson_boolean': ['bool'],
      'bson_date': ['date'],
      'bson_timestamp': ['timestamp'],
      'bson_binary': ['bindata'],
      'bson_uuid': ['uuid'],
      'bson_json': ['object', 'array', 'any'],
    },
    'type_aliases': {'boolean': 'bool', 'int32': 'int', 'int64': 'long', 'decimal128': 'decimal', 'binary': 'bindata'},
    'type_arguments': {},
    'largest': {'decimal': 38},
    'has_arrays': false,
  }) }}
{% endmacro %}
