{#
  timestamp(p) without zone, MySQL's datetime(p): milliseconds since 1970 up to p = 3 (under connect always, under microseconds never),
  else microseconds; under isostring a text that ends in Z though no zone is meant. A wall clock, so timestamp_ntz whatever the session's zone.
  Infinity is 9223372036825200000 and -9223372036832400000 microseconds (a thousandth of it in milliseconds).
#}
{% macro decode_timestamp(type, settings) %}
  {% set precision = type['arguments'][0] %}
  {% set mode = settings['time_precision_mode'] %}
  {% set is_text = mode == 'isostring' %}
  {% set factor = 1000 if mode == 'connect' or (precision <= 3 and mode in ['adaptive', 'adaptive_time_microseconds']) else 1 %}
  {% set number = "unix_micros(try_cast({raw} as timestamp))" if is_text else "{raw}" %}
  {% set low, high = -62135596800000000 // factor, 253402300799999999 // factor %}
  {% set fits = number ~ " between " ~ low ~ " and " ~ high %}
  {% set micros = number ~ " * " ~ factor if factor > 1 else number %}
  {% set days = "floor(" ~ number ~ " / " ~ (86400000000 // factor) ~ "BD)" %}
  {% set of_day = "pmod(" ~ number ~ ", " ~ (86400000000 // factor) ~ "L)" ~ (" * " ~ factor if factor > 1 else "") %}
  {{ return({
    'literal': 'string' if is_text else 'bigint',
    'type': 'timestamp_ntz',
    'value': "case when " ~ fits ~ " then timestampadd(microsecond, " ~ micros ~ ", timestamp_ntz'1970-01-01 00:00:00') end",
    'special': "case when " ~ number ~ " >= " ~ (9223372036825200000 // factor) ~ " then 'infinity' when " ~ number ~ " <= -" ~ (9223372036832400000 // factor)
               ~ " then '-infinity' when not " ~ fits ~ " then concat(" ~ afterimage._date_text(days) ~ ", ' ', "
               ~ afterimage._time_text("(" ~ of_day ~ ")") ~ ", " ~ afterimage._era_text(days) ~ ") end",
    'refuse': "{raw} is not null and (not {raw} like '%Z' or " ~ number ~ " is null)" if is_text else none,
  }) }}
{% endmacro %}
