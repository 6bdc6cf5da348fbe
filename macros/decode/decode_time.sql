{#
  time(p): milliseconds of the day up to p = 3 under adaptive, and always under connect; the text 23:59:59.999999Z under isostring
  (which writes 24:00 as 00:00); else microseconds.
  Out: text HH:MM:SS[.ffffff] as PostgreSQL prints it, because 24:00:00 is legal and no Spark type of a day holds it.
#}
{% macro decode_time(type, settings) %}
  {% set precision = type['arguments'][0] %}
  {% set mode = settings['time_precision_mode'] %}
  {% if mode == 'isostring' %}
    {{ return({
      'literal': 'string',
      'type': 'string',
      'value': "if({raw} like '%.%', rtrim('.', rtrim('0', rtrim('Z', {raw}))), rtrim('Z', {raw}))",
      'refuse': "not {raw} rlike '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?Z$'",
    }) }}
  {% endif %}
  {% set factor = 1000 if mode == 'connect' or (precision <= 3 and mode == 'adaptive') else 1 %}
  {% set micros = "({raw} * " ~ factor ~ ")" if factor > 1 else "{raw}" %}
  {{ return({
    'literal': 'bigint',
    'type': 'string',
    'value': afterimage._time_text(micros),
    'refuse': "not " ~ micros ~ " between 0 and 86400000000",
  }) }}
{% endmacro %}


{# Microseconds, not negative -> HH:MM:SS[.ffffff], hours beyond 99 as they are, trailing zeros of the fraction dropped. In and out: SQL. #}
{% macro _time_text(micros) %}
  {{ return(
    "concat(if(" ~ micros ~ " < 36000000000, '0', ''), cast(" ~ micros ~ " div 3600000000 as string), ':', lpad(cast(" ~ micros ~ " div 60000000 % 60 as string), 2, '0'), ':',"
    ~ " lpad(cast(" ~ micros ~ " div 1000000 % 60 as string), 2, '0'),"
    ~ " if(" ~ micros ~ " % 1000000 = 0, '', concat('.', rtrim('0', lpad(cast(" ~ micros ~ " % 1000000 as string), 6, '0')))))") }}
{% endmacro %}
