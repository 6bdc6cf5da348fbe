{#
  interval by interval.handling.mode. numeric: microseconds, in which the connector counts a year as 365.25 days and a month as 30.4375,
  so calendar parts are not recoverable; string: ISO 8601 text.
#}
{% macro decode_interval(type, settings) %}
  {% set spark = 'bigint' if settings['interval_handling_mode'] == 'numeric' else 'string' %}
  {{ return({'literal': spark, 'type': spark, 'value': '{raw}'}) }}
{% endmacro %}
