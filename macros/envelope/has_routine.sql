{#
  Whether records of a contract have a proof of being just what is expected (see routine_records). In: contract. Out: true or false.

    debezium_json      yes: an envelope is what its images give when they are written again; behind a schema block not yet
    with avro_schemas  no: what is read is no text that could be written again
    several tables on one topic   no: what is not of this table would all be marked
    decimal.format NUMERIC        no: a number's zeros are not what Spark writes
    masked columns     no: a marked record stands for a while as it landed, with what must not be shown
    unwrapped, cloudevents, datastream_json, documents   no: they have no proof yet, and are read by the exact statement alone
#}
{% macro has_routine(contract) %}
  {% if contract['format'] != 'debezium_json' or contract['avro_schemas'] or afterimage.is_document(contract)
        or contract['source_tables'] or contract['helper_tables'] or contract['masked'] %}
    {{ return(false) }}
  {% endif %}
  {% for column in contract['columns'] %}
    {% set decoder = afterimage.decoder_of_column(column['name'], column['source_type'], contract) %}
    {% if decoder is none or 'decimal(' in decoder['literal'] %}{{ return(false) }}{% endif %}
  {% endfor %}
  {{ return(true) }}
{% endmacro %}
