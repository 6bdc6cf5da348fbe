{# Names of the fields of the envelope's `source` that the models need. In: contract. Out: list of text. #}
{% macro source_names(contract) %}
  {{ return((['ts_ms', 'ts_us', 'ts_ns', 'snapshot'] + afterimage.connector(contract)['source_fields'] + afterimage.source_fields(contract)) | unique | list) }}
{% endmacro %}
