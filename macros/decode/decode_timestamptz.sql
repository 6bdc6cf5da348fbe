{#
  timestamptz: ISO text in UTC (2024-01-01T00:00:00.000000Z), or infinity, -infinity; with another offset where TimezoneConverter wrote one;
  under structured an object with the offset in seconds.
  Years outside 1..9999 arrive signed (-0043-03-15T…, +10000-01-01T…) and go to `special` as PostgreSQL prints them in UTC. Digits below
  microseconds are cut off the value, and `special` has all of them.
  Within an array -infinity is the first of Java's years without its sign, +292269055 (seen in 3.6.3); PostgreSQL has none beyond 294276.
#}
{% macro decode_timestamptz(type, settings) %}
  {% if settings['time_precision_mode'] == 'structured' %}{{ return(afterimage._structured_instant(type)) }}{% endif %}
  {% set micros = "unix_micros(try_cast({raw} as timestamp))" %}
  {% set finer = afterimage._digits_below_micros() %}
  {% set fits = "{raw} rlike '^[0-9]{4}-' and {raw} not like '0000-%' and ({raw} like '%Z' or " ~ micros ~ " between -62135596800000000 and 253402300799999999)" %}
  {% set clock = "rtrim('Z', substr({raw}, instr({raw}, 'T') + 1))" %}
  {# a text in UTC keeps its digits, whatever the year; with another offset the text must be calculated #}
  {% set in_utc = "get(transform(array(struct(try_cast(left({raw}, instr({raw}, 'T') - 7) as int) as year, substr({raw}, instr({raw}, 'T') - 6, 6) as day,"
                  ~ " if({raw} like '%.%', rtrim('.', rtrim('0', " ~ clock ~ ")), " ~ clock ~ ") as clock)), m -> concat(lpad(if(m.year > 0, m.year, 1 - m.year),"
                  ~ " greatest(4, length(abs(m.year))), '0'), m.day, ' ', m.clock, '+00', if(m.year > 0, '', ' BC'))), 0)" %}
  {% set days = "floor(" ~ micros ~ " / 86400000000BD)" %}
  {% set counted = afterimage._moment_text(days, "pmod(" ~ micros ~ ", 86400000000L) * 1000 + coalesce(" ~ finer ~ ", 0)", 9, '+00') %}
  {{ return({
    'literal': 'string',
    'type': 'timestamp',
    'value': "case when " ~ fits ~ " then try_cast({raw} as timestamp) end",
    'plain': afterimage._plain_iso("try_cast({raw} as timestamp)"),
    'special': "case when {raw} in ('infinity', '-infinity') then {raw} when {raw} like '+292269055-%' then '-infinity' when not (" ~ fits ~ ") or " ~ finer ~ " is not null then if({raw} like '%Z', " ~ in_utc ~ ", " ~ counted ~ ") end",
    'refuse': "{raw} is not null and {raw} not in ('infinity', '-infinity') and (not {raw} rlike '^([-+]?[0-9]{4,6}|[+]292269055)-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[-+][0-9]{2}:[0-9]{2}(:[0-9]{2})?)$'"
              ~ " or (({raw} not like '%Z' or {raw} rlike '^[0-9]{4}-' and {raw} not like '0000-%') and " ~ micros ~ " is null))",
  }) }}
{% endmacro %}


{#
  The decoder of an instant as an object: a local time and its offset from UTC. Calculated within 400 years, after which the calendar repeats,
  because years reach further than Spark's instants.
#}
{% macro _structured_instant(type) %}
  {% set moment = afterimage.structured_moment(['date', 'time', 'offset']) %}
  {% set fraction = moment['picoseconds'] %}
  {% set in_cycle = "concat_ws(' ', concat_ws('-', 2000 + pmod({raw}.year, 400), {raw}.month, {raw}.day), concat_ws(':', {raw}.hour, {raw}.minute, {raw}.second))" %}
  {% set clock = "timestampadd(second, -{raw}.offsetSeconds, try_cast(" ~ in_cycle ~ " as timestamp_ntz))" %}
  {% set year = "(year(" ~ clock ~ ") + {raw}.year - 2000 - pmod({raw}.year, 400))" %}
  {% set text = "concat(substr(cast(" ~ clock ~ " as string), 5), if(" ~ fraction ~ " = 0, '', concat('.', rtrim('0', lpad(" ~ fraction ~ ", 12, '0')))))" %}
  {% set fits = year ~ " between 1 and 9999" %}
  {% set special = "when " ~ moment['is_whole'] ~ " and (not (" ~ fits ~ ") or " ~ fraction ~ " % 1000000 > 0) then concat(lpad(if(" ~ year ~ " > 0, " ~ year ~ ", 1 - " ~ year ~ "), greatest(4, length(abs(" ~ year ~ "))), '0'), "
                   ~ text ~ ", '+00', if(" ~ year ~ " > 0, '', ' BC'))" %}
  {% if type['zero_dates'] %}
    {# MySQL's zero timestamp belongs to no zone #}
    {% set zeros = afterimage.structured_moment(['date', 'time'], true) %}
    {% set is_zeros = "({raw}.year = 0 and {raw}.month = 0 and {raw}.day = 0 and " ~ zeros['is_whole'] ~ ")" %}
    {% set special = special ~ " when " ~ is_zeros ~ " then " ~ zeros['text'] %}
  {% endif %}
  {{ return({
    'literal': moment['literal'],
    'type': 'timestamp',
    'value': "case when " ~ moment['is_whole'] ~ " and " ~ fits ~ " then try_cast(concat(lpad(" ~ year ~ ", 4, '0'), " ~ text ~ ", 'Z') as timestamp) end",
    'special': "case when {raw}.specialValue is not null then " ~ moment['infinity'] ~ " " ~ special ~ " end",
    'refuse': "{raw} is not null and not " ~ moment['is_whole'] ~ (" and not coalesce(" ~ is_zeros ~ ", false)" if type['zero_dates'] else "") ~ " and " ~ moment['infinity'] ~ " is null",
  }) }}
{% endmacro %}
