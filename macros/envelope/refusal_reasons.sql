{# The closed list of reasons for which a record is refused, with what to do; shown by the quarantine's documentation. #}
{% macro refusal_reasons() %}
  {{ return({
    'unreadable_line': 'a landed line was no record; mend the file and land it again',
    'not_utf8': 'the value is no UTF-8 text; check the converter of the connector',
    'unknown_schema': 'the record names a schema that avro_schemas does not hold; fetch the schemas again',
    'broken_avro': 'the bytes are no value of the schema they name, whole and with nothing behind it: cut off, or the ids are of another registry or kind',
    'broken_document': 'a document within the record is no single JSON object, or has a value that is not what its wrapper says; look at what wrote it',
    'broken_json': 'the value is no single JSON object: cut off, or followed by more text',
    'wrong_envelope': 'no change event of the declared format (no op or source; of unwrapped rows, none of the columns); check topic and format in the contract',
    'unknown_op': 'op is none of c r u d t m, or was not told of a table without a key (CloudEvents without attributes)',
    'other_table': 'a change of a table that is not among source_tables of any contract of the topic',
    'missing_position': 'the source block gives no place in the log, or none of its form',
    'missing_image': 'the row image the op needs (after, or before of a delete) is not there',
    'missing_key': 'no column of the key has a value, or one is neither in the image nor in the key of the record; check key in the contract',
    'duplicate_json_key': 'one field stands twice in the envelope or the row image',
    'value_does_not_fit': 'a value is not of its declared type; check columns and settings in the contract',
  }) }}
{% endmacro %}
