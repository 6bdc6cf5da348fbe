{#
  MongoDB. See connector() for the keys. Source: the MongoDB connector documentation (change events, data types); the Extended JSON
  specification, v1 (strict) and v2.
  A row is a document, sent as JSON within a text; the columns of a contract are paths into it. `_id` never changes, nothing is truncated,
  and an update may carry only what it changed (see documents_carried).
#}
{% macro connector_mongodb(contract) %}
  {#
    The position of a change in the oplog: its cluster time, in milliseconds as `ts_ms` has it (full seconds), and `ord`, which counts
    within the second: 000001719800101000.0000000002. Numbers, so each is padded; NULL when a part is missing or longer than its field.
    Changes of one transaction share a cluster time; total_order or the landing coordinate gives their order. Cluster times belong to a
    replica set; in a sharded cluster they are gossiped, so a change that a client saw happen after another has a later one.
    Snapshot rows have the cluster time at which the reading began.
  #}
  {% set position = "case when source.ts_ms rlike '^[0-9]{1,18}$' and source.ord rlike '^[0-9]{1,10}$'"
                    ~ " then concat_ws('.', lpad(source.ts_ms, 18, '0'), lpad(source.ord, 10, '0')) end" %}
  {{ return({
    'source_fields': ['ts_ms', 'name', 'rs', 'db', 'collection', 'ord', 'lsid', 'txnNumber'],
    'position_fields': ['ts_ms', 'ord'],
    'position': position,
    'position_form': '[0-9]{18}[.][0-9]{10}',
    'table_names': ['source.db', 'source.collection'],
    'server_names': ['source.name', 'source.rs'],
    'only_rows_in_order': true,
    'tx_id': "coalesce(transaction.id, if(source.txnNumber is null, null, concat(source.lsid, ':', source.txnNumber)))",
    'collection_names': "array(regexp_replace({raw}, '^[^.]+[.]', ''), {raw})",
    'before_is_whole': false,
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
    'largest': {'decimal': 38},
  }) }}
{% endmacro %}
