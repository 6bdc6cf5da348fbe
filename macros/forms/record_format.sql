{#
  The traits of a record format; this is their only map. Each format also has a folder of its own with <format>.sql, which returns the CTEs up to
  `envelope`; one with a routine statement has <format>_routine.sql too, and one with keys or limits of its own <format>_faults.sql.

    has_envelope        a record describes a change and holds its images; else it is the row alone, with the fields of add_fields next to its
                        columns, and a delete may be a record without value
    has_before          an update may come with the row before it
    source_is_optional  a record may lack its operation and its source: a row that was written is `x`, only its key may have its table
    has_data            the images are in `data`, which may be in Avro by itself, with a schema of its own
    has_routine         a record can be proven to be exactly what is expected (see has_routine)
    has_faults          a contract may declare impossible things about it (see contract_faults)
    schema_fields       the path to the row's fields in a schema block; none: records have no such block

  In: format. Out: dict; for a format that is not in the map, which validate_contracts reports, that of the default.
#}
{% macro record_format(format) %}
  {% set formats = afterimage.record_formats() %}
  {{ return(formats.get(format, formats['debezium_json'])) }}
{% endmacro %}


{# The map: {format: its traits}, in the order in which users see them listed. #}
{% macro record_formats() %}
  {{ return({
    'debezium_json': {'has_envelope': true, 'has_before': true, 'source_is_optional': false, 'has_data': false, 'has_routine': true,
                      'has_faults': false, 'schema_fields': '$.schema.fields[0].fields'},
    'unwrapped': {'has_envelope': false, 'has_before': false, 'source_is_optional': true, 'has_data': false, 'has_routine': true,
                  'has_faults': true, 'schema_fields': '$.schema.fields'},
    'cloudevents': {'has_envelope': true, 'has_before': true, 'source_is_optional': true, 'has_data': true, 'has_routine': false,
                    'has_faults': false, 'schema_fields': '$.data.schema.fields[0].fields'},
    'datastream_json': {'has_envelope': true, 'has_before': false, 'source_is_optional': false, 'has_data': false, 'has_routine': false,
                        'has_faults': true, 'schema_fields': none},
  }) }}
{% endmacro %}
