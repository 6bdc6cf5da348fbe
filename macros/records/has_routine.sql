{#
  Whether records of a contract have a proof of being just what is expected (see routine_records). In: contract. Out: true or false.

    debezium_json   an envelope is what its images give when they are written again
    unwrapped       a row is; but not where a field beside the columns has a name by which the exact statement knows another form
    decimal.format NUMERIC   none: a number's zeros are not what Spark writes
    fields that Spark does not tell apart, or that SQL cannot hold (member, see declared_columns)   none
    cloudevents, datastream_json, documents   none yet: the exact statement alone
#}
{% macro has_routine(contract) %}
  {% if not afterimage.record_format(contract['format'])['has_routine'] or afterimage.is_document(contract) %}
    {{ return(false) }}
  {% endif %}
  {% for field in afterimage.added_fields(contract) if field['field'] == 'source' or (field['field'] == '__deleted' and field['path'] != 'deleted') %}
    {{ return(false) }}
  {% endfor %}
  {% for column in contract['columns'] %}
    {% set decoder = afterimage.decoder_of_column(column['name'], column['source_type'], contract) %}
    {% if decoder is none or 'decimal(' in decoder['literal'] or column.get('member') %}{{ return(false) }}{% endif %}
  {% endfor %}
  {{ return(true) }}
{% endmacro %}
