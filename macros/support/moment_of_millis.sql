{#
  The timestamp of a number of milliseconds since 1970; NULL outside of the years 1 to 9999, where timestamp_millis
  would fail the statement.
  In: SQL, bigint. Out: SQL, timestamp.
#}
{% macro moment_of_millis(millis) %}
  {{ return('timestamp_millis(if(' ~ millis ~ ' between -62135596800000 and 253402300799999, ' ~ millis ~ ', null))') }}
{% endmacro %}
