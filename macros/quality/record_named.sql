{#
  The name of a record of changes_of_logs in a finding: partition and offset, and the key of its row: `0:12 7`. In:
  key, SQL of it as it may be shown. Out: SQL text.
#}
{% macro record_named(key='shown_key') %}
  {{ return("concat_ws(' ', concat_ws(':', _cdc_partition, _cdc_offset), " ~ key ~ ")") }}
{% endmacro %}
