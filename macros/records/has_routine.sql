{#
  Whether records of a contract can be proven to be exactly what is expected (see routine_records). In: contract. Out: true or false.

    debezium_json   an envelope equals its images written again
    unwrapped       a row does; but not where a field next to the columns has a name by which the exact statement recognises another form
    decimal.format NUMERIC   none: Spark writes a number's zeros differently
    fields that Spark does not tell apart, or that SQL cannot hold (member, see declared_columns)   none
    cloudevents, datastream_json, documents   none yet: only the exact statement
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
