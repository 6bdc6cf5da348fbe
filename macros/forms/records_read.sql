{# The step with the new records as texts: Avro bytes are decoded in their own step. #}
{% macro records_read(contract) %}
  {{ return('new_records' if not contract['avro_schemas'] else 'read_data' if afterimage.record_format(contract['format'])['has_data'] else 'read_records') }}
{% endmacro %}
