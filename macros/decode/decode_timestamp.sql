{#
  timestamp(p) without zone, MySQL's datetime(p): milliseconds since 1970 up to p = 3 (under connect always, under microseconds never),
  else microseconds; a wall clock, so timestamp_ntz whatever the session's zone.
  Infinity is 9223372036825200000 and -9223372036832400000 microseconds (a thousandth of it in milliseconds).
#}
{% macro decode_timestamp(type, settings) %}
  {% set precision = type['arguments'][0] %}
  {% set mode = settings['time_precision_mode'] %}
  {% set factor = 1000 if mode == 'connect' or (precision <= 3 and mode != 'microseconds') else 1 %}
  {% set low, high = -62135596800000000 // factor, 253402300799999999 // factor %}
  {% set fits = "{raw} between " ~ low ~ " and " ~ high %}
  {% set micros = "{raw} * " ~ factor if factor > 1 else "{raw}" %}
  {% set days = "floor({raw} / " ~ (86400000000 // factor) ~ "BD)" %}
  {% set of_day = "pmod({raw}, " ~ (86400000000 // factor) ~ "L)" ~ (" * " ~ factor if factor > 1 else "") %}
  {{ return({
    'literal': 'bigint',
    'type': 'timestamp_ntz',
    'value': "case when " ~ fits ~ " then timestampadd(microsecond, " ~ micros ~ ", timestamp_ntz'1970-01-01 00:00:00') end",
    'special': "case when {raw} >= " ~ (9223372036825200000 // factor) ~ " then 'infinity' when {raw} <= -" ~ (9223372036832400000 // factor)
               ~ " then '-infinity' when not " ~ fits ~ " then concat(" ~ afterimage._date_text(days) ~ ", ' ', "
               ~ afterimage._time_text("(" ~ of_day ~ ")") ~ ", " ~ afterimage._era_text(days) ~ ") end",
  }) }}
{% endmacro %}
