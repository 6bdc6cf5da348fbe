{# The step with the new records as texts: bytes in Avro are read into one of their own. #}
{% macro records_read(contract) %}
  {{ return('new_records' if not contract['avro_schemas'] else 'read_data' if contract['format'] == 'cloudevents' else 'read_records') }}
{% endmacro %}


{# In the list of an envelope's columns: why the bytes of a record in Avro are not to be read. #}
{% macro unreadable(contract) %}
  {{ return('unreadable,\n        ' if contract['avro_schemas'] else '') }}
{% endmacro %}
