{#
  Unified types time and time-interval of Datastream: text [-]HH:MM:SS[.ffffff], or microseconds. Out: for MySQL as decode_duration, because no
  Spark type holds its 838 hours; for the others as decode_time.
#}
{% macro decode_unified_time(type, settings) %}
  {% set text = "if({raw} like '%.%', rtrim('.', rtrim('0', {raw})), {raw})" %}
  {# a number of more digits is refused, and would have no absolute value #}
  {% set micros = "if({raw} rlike '^-?[0-9]{1,13}$', try_cast({raw} as bigint), null)" %}
  {% set of_micros = "concat(if(" ~ micros ~ " < 0, '-', ''), " ~ afterimage._time_text('abs(' ~ micros ~ ')') ~ ")" %}
  {{ return({
    'literal': 'string',
    'type': 'string',
    'value': "if({raw} rlike '^-?[0-9]+$', " ~ of_micros ~ ", " ~ text ~ ")",
    'refuse': "{raw} is not null and not ({raw} rlike '^-?[0-9]{2,3}:[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?$' or coalesce(abs(" ~ micros
              ~ ") < 3020400000000, false))",
  }) }}
{% endmacro %}
