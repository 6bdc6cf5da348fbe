{#
  MySQL time(p): signed microseconds (milliseconds of a day under connect, nanoseconds under nanoseconds), from -838:59:59 to 838:59:59, which
  no Spark type of a day holds; under isostring the text of a time of day; under structured an object of hours, minutes and seconds.
  Out: text [-]HH:MM:SS[.ffffff] with as many hours as needed, trailing zeros of the fraction dropped.
#}
{% macro decode_duration(type, settings) %}
  {% set mode = settings['time_precision_mode'] %}
  {% if mode == 'isostring' %}{{ return(afterimage.decode_time(type, settings)) }}{% endif %}
  {% if mode == 'structured' %}
    {# parts of unlike sign make one duration: -1 s and 0.5 s is -0.5 s #}
    {% set picoseconds = "coalesce({raw}.picoseconds, cast({raw}.nanos as bigint) * 1000)" %}
    {% set seconds = "(coalesce({raw}.days, 0) * 86400L + {raw}.hours * 3600L + {raw}.minutes * 60L + {raw}.seconds)" %}
    {% set total = "case when coalesce({raw}.years, 0) = 0 and coalesce({raw}.months, 0) = 0 and {raw}.seconds between -4000000 and 4000000"
                   ~ " and " ~ picoseconds ~ " between -999999999999 and 999999999999 and " ~ seconds ~ " between -3020400 and 3020400 then "
                   ~ seconds ~ " * 1000000000000 + " ~ picoseconds ~ " end" %}
    {{ return({
      'literal': 'struct<years: int, months: int, days: int, hours: int, minutes: int, seconds: bigint, nanos: int, picoseconds: bigint>',
      'type': 'string',
      'value': "get(transform(array(" ~ total ~ "), t -> concat(if(t < 0, '-', ''), " ~ afterimage._time_text('abs(t)', 12) ~ ")), 0)",
      'refuse': "{raw} is not null and not coalesce(" ~ total ~ " between -3020399999999999999 and 3020399999999999999, false)",
    }) }}
  {% endif %}
  {% set factor = 1000 if mode == 'connect' else 1 %}
  {% set digits = 9 if mode == 'nanoseconds' else 6 %}
  {% set longest = (3020400 * 10 ** digits - 1) // factor %}
  {% set fits = '{raw} between -' ~ longest ~ ' and ' ~ longest %}
  {{ return({
    'literal': 'bigint',
    'type': 'string',
    'value': "case when " ~ fits ~ " then concat(if({raw} < 0, '-', ''), " ~ afterimage._time_text('(abs({raw}) * ' ~ factor ~ ')', digits) ~ ") end",
    'refuse': '{raw} is not null and not ' ~ fits,
    'schema_names': afterimage._names_of_clock('Time', 3 if factor > 1 else digits),
  }) }}
{% endmacro %}
