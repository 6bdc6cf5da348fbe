{#
  time(p): milliseconds of the day up to p = 3 under adaptive, and always under connect; the text 23:59:59.999999Z under isostring
  (which writes 24:00 as 00:00); nanoseconds; an object of hour, minute, second under structured; else microseconds.
  Out: text HH:MM:SS[.ffffff] as PostgreSQL prints it, because 24:00:00 is legal and no Spark type of a day holds it.
  Digits below microseconds, of which PostgreSQL and MySQL have none, are kept.
#}
{% macro decode_time(type, settings) %}
  {% set mode = settings['time_precision_mode'] %}
  {% set clock = "if({raw} like '%.%', rtrim('.', rtrim('0', rtrim('Z', {raw}))), rtrim('Z', {raw}))" %}
  {% if mode == 'isostring' %}
    {{ return({
      'literal': 'string',
      'type': 'string',
      'value': clock,
      'refuse': "not {raw} rlike '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?Z$'",
    }) }}
  {% endif %}
  {% if mode == 'structured' %}
    {% set moment = afterimage.structured_moment(['time']) %}
    {{ return({
      'literal': moment['literal'],
      'type': 'string',
      'value': "case when " ~ moment['is_whole'] ~ " then " ~ moment['text'] ~ " end",
      'refuse': "{raw} is not null and not " ~ moment['is_whole'],
    }) }}
  {% endif %}
  {% set digits = 9 if mode == 'nanoseconds' or (mode == 'adaptive' and type['arguments'][0] > 6) else 6 %}
  {% set factor = 1000 if mode == 'connect' or (mode == 'adaptive' and type['arguments'][0] <= 3) else 1 %}
  {% set fits = "{raw} between 0 and " ~ 86400 * 10 ** digits // factor %}
  {{ return({
    'literal': 'bigint',
    'type': 'string',
    'value': "case when " ~ fits ~ " then " ~ afterimage._time_text("({raw} * 1000)", digits) ~ " end" if factor > 1 else afterimage._time_text("{raw}", digits),
    'refuse': "not " ~ fits,
    'from_bare': clock if mode == 'connect' else none,
    'bare_form': '[0-9]{2}:[0-9]',
    'schema_names': afterimage._names_of_clock('Time', 3 if factor > 1 else digits),
  }) }}
{% endmacro %}


{#
  The names in a schema block for numbers of a unit, of which 10^digits make a second. In: what, Time or Timestamp. Out: SQL array.
  Source: Debezium documentation, "temporal types" of each connector.
#}
{% macro _names_of_clock(what, digits) %}
  {{ return({
    3: "array('io.debezium.time." ~ what ~ "', 'org.apache.kafka.connect.data." ~ what ~ "')",
    6: "array('io.debezium.time.Micro" ~ what ~ "')",
    9: "array('io.debezium.time.Nano" ~ what ~ "')",
  }[digits]) }}
{% endmacro %}


{#
  A number of fractions of a second, of which 10^digits make one, not negative -> HH:MM:SS[.ffffff], hours beyond 99 in full, trailing zeros of
  the fraction dropped. In and out: SQL.
#}
{% macro _time_text(number, digits=6) %}
  {% set second = 10 ** digits %}
  {{ return(
    "concat(if(" ~ number ~ " < " ~ 36000 * second ~ ", '0', ''), cast(" ~ number ~ " div " ~ 3600 * second ~ " as string), ':', lpad(cast(" ~ number ~ " div " ~ 60 * second
    ~ " % 60 as string), 2, '0'), ':', lpad(cast(" ~ number ~ " div " ~ second ~ " % 60 as string), 2, '0'),"
    ~ " if(" ~ number ~ " % " ~ second ~ " = 0, '', concat('.', rtrim('0', lpad(cast(" ~ number ~ " % " ~ second ~ " as string), " ~ digits ~ ", '0')))))") }}
{% endmacro %}
