{# Why a record of an outbox is refused, with what to do; shown by docs/how-to/outbox.md. Out: dict reason -> text. #}
{% macro outbox_reasons() %}
  {{ return({
    'not_utf8': 'the value is no UTF-8 text; say value_converter or payload binary, or avro',
    'unknown_schema': 'the record names a schema that avro_schemas does not hold; fetch the schemas again',
    'broken_avro': 'the bytes are no Avro, or no value of the schema they name, whole and with nothing behind it',
    'broken_json': 'the value is no single JSON value: cut off, followed by more text, or a key stands twice; of another converter than value_converter says?',
    'change_event': 'an envelope of a change where events of the router are expected; does the predicate of the router let the outbox through?',
    'wrong_form': 'a field is placed in the envelope, and the value is no object with a payload; was fields.additional.placement changed?',
    'too_deep': 'the payload beside other fields, or within a row, has more than 32 levels',
    'missing_event_id': 'nothing tells the event from a delivery of another one: no header id, or no value in the column of the id',
    'payload_does_not_parse': 'the payload is not what the declaration says (json, binary, avro); one that need not be JSON is text',
    'event_id_reused': 'an earlier event of the same id has another payload or aggregate',
    'wrong_envelope': 'no change event, where rows of the outbox are expected',
    'unknown_op': 'op is none of c r u d t m',
    'missing_image': 'an insert without a row',
    'outbox_update': 'a row of the outbox was updated: events do not change, and the router sends no such change; find who updates, and write a new event',
  }) }}
{% endmacro %}
