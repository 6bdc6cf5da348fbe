{# The faults of a contract's settings for records in Avro. In: beginning of each fault, contract, its two levels. Out: list of text. #}
{% macro avro_faults(where, contract, over_source, over_table) %}
  {% set avro = contract['avro_schemas'] %}
  {{ return(afterimage.faults_that_hold(where, [
    (avro is string and not modules.re.match('^[A-Za-z0-9_]+([.][A-Za-z0-9_]+){1,2}\\Z', avro),
     'avro_schemas: ' ~ (avro | tojson) ~ ' is not a table name. Write schema.table, or catalog.schema.table.'),
    (over_table.get('avro_framing') and not avro,
     'avro_framing: says nothing without avro_schemas, the table that holds the schemas of records in Avro.'),
    (avro and contract['avro_framing'] == 'headers' and afterimage.record_format(contract['format'])['has_data'],
     'avro_framing: the data of a CloudEvent have no headers of their own; the ids of their schemas must be in frames (confluent, apicurio).'),
  ])) }}
{% endmacro %}
