{#
  The keys of a declared outbox (config.meta.outbox of a source table), in one place: the validator, its errors and
  the table of docs/how-to/outbox.md (checked by a test) are made from it.
  Out: dict name -> {type, allowed, default, of, help}; of: captured, if it applies to only one of its values.
  Source: Debezium documentation, "Outbox event router" and "MongoDB outbox event router"; a key that means the same
  as one of their options has its name.
#}
{% macro outbox_keys() %}
  {{ return({
    'captured': {
      'type': 'text', 'default': 'router', 'allowed': ['router', 'rows'],
      'help': 'what was landed: messages of EventRouter or MongoEventRouter, or the outbox itself, captured like any table or collection'},
    'topic': {
      'type': 'text or list', 'default': 'outbox.event.${routedByValue}',
      'help': 'route.topic.replacement as it is set, whose ${…} stands for the type of aggregate; topics by name, or several of either, as a list'},
    'value_converter': {
      'type': 'text', 'default': 'json', 'allowed': ['json', 'string', 'binary', 'avro'],
      'help': 'value.converter: JsonConverter, StringConverter, BinaryDataConverter or ByteArrayConverter (the bytes of the application), or one of Avro'},
    'payload': {
      'type': 'text', 'default': 'json', 'allowed': ['json', 'text', 'binary', 'avro'],
      'help': 'what the application wrote: JSON (what does not parse is refused), any text, any bytes (shown in base64), or Avro'},
    'fields_additional_placement': {
      'type': 'text', 'default': '',
      'help': 'as it is set in the router, e.g. "type:header:eventType,aggregateid:envelope:order_ref"; of rows, the columns to bring along'},
    'aggregate_type': {
      'type': 'text', 'default': 'topic', 'of': 'router',
      'help': 'where the type of aggregate is: topic, header:<name>, envelope:<name>, payload:$.<path>'},
    'event_type': {
      'type': 'text', 'of': 'router',
      'help': 'where the type of event is, in the same words; by default where fields_additional_placement puts the column type'},
    'field_event_id': {
      'type': 'text', 'of': 'rows',
      'help': 'field.event.id: the column with the id of the event; by default id, of documents _id'},
    'field_event_key': {
      'type': 'text', 'default': 'aggregateid', 'of': 'rows',
      'help': 'field.event.key: the column with the id of the aggregate'},
    'field_event_type': {
      'type': 'text', 'default': 'type', 'of': 'rows',
      'help': 'the column with the type of event'},
    'field_event_payload': {
      'type': 'text', 'default': 'payload', 'of': 'rows',
      'help': 'field.event.payload: the column with the payload'},
    'field_event_timestamp': {
      'type': 'text', 'of': 'rows',
      'help': 'field.event.timestamp: a column with the time of the event; by default it is that of the change'},
    'field_event_schema_version': {
      'type': 'text', 'of': 'rows',
      'help': 'field.event.schema.version: a column with the version of the payload; routed messages have it in their schema block'},
    'route_by_field': {
      'type': 'text', 'default': 'aggregatetype', 'of': 'rows',
      'help': 'route.by.field: the column with the type of aggregate'},
    'avro_schemas': {
      'type': 'text',
      'help': 'with Avro: the table (schema.table, with columns id, subject, schema) that holds the schemas; afterimage schemas makes it'},
    'avro_framing': {
      'type': 'text', 'default': 'confluent', 'allowed': ['confluent', 'apicurio', 'headers'],
      'help': 'with Avro: where the id of the schema is, as in a contract'},
    'avro_subjects': {
      'type': 'list', 'default': [],
      'help': 'with Avro: only schemas whose subjects begin with one of these; all of the table by default'},
    'sensitive': {
      'type': 'truth value', 'default': false, 'allowed': [true, false],
      'help': 'refused records are kept as hashes'},
  }) }}
{% endmacro %}
