{#
  MySQL time(p): signed microseconds (milliseconds of a day under connect), from -838:59:59 to 838:59:59, which no Spark type of a day holds.
  Out: text [-]HH:MM:SS[.ffffff] with as many hours as it takes, zeros at the end of the fraction dropped.
#}
{% macro decode_duration(type, settings) %}
  {% set factor = 1000 if settings['time_precision_mode'] == 'connect' else 1 %}
  {{ return({
    'literal': 'bigint',
    'type': 'string',
    'value': "case when {raw} is not null then concat(if({raw} < 0, '-', ''), " ~ afterimage._time_text('(abs({raw}) * ' ~ factor ~ ')') ~ ") end",
    'refuse': 'not abs({raw}) <= ' ~ 3020399999999 // factor,
  }) }}
{% endmacro %}
