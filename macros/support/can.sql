{#
  The capability map: what a table format can do on Spark 4.1. One place to ask, one place to extend.
  In: file format, capability (merge). Out: true or false; an unknown format is refused.
#}
{% macro can(file_format, capability) %}
  {% set formats = {
    'parquet': {'merge': false},
    'delta': {'merge': true},
    'iceberg': {'merge': true},
  } %}
  {% if file_format not in formats %}
    {% do exceptions.raise_compiler_error('[afterimage] file_format ' ~ file_format ~ ' is not supported. Use one of: ' ~ formats | join(', ') ~ '.') %}
  {% endif %}
  {{ return(formats[file_format][capability]) }}
{% endmacro %}
