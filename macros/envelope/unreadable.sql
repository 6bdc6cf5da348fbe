{# In the list of an envelope's columns: why the bytes of a record in Avro are not to be read, and the schemas it was written with. #}
{% macro unreadable(contract) %}
  {% set writer_schema = 'data_schema' if contract['format'] == 'cloudevents' else 'value_schema' %}
  {{ return('unreadable,\n        ' ~ writer_schema ~ ' as writer_schema,\n        key_schema,\n        ' if contract['avro_schemas'] else '') }}
{% endmacro %}
