{# The schemas of an outbox in Avro, as in avro_schemas; [] if no part of it is in Avro. In: outbox. #}
{% macro outbox_schemas(outbox) %}
  {{ return(afterimage.avro_schemas(dict(outbox, topics=outbox['avro_subjects'])) if 'avro' in [outbox['payload'], outbox['value_converter']] else []) }}
{% endmacro %}
