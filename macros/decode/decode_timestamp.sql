{#
  timestamp(p) without zone, MySQL's datetime(p): milliseconds since 1970 up to p = 3 (under connect always, under microseconds never),
  nanoseconds (more than six digits, as datetime2(7) has, always except under connect), else microseconds; under isostring a text that ends in Z
  although no zone is meant (another offset, which TimezoneConverter writes, is that of the same instant); under structured an object. A wall
  clock, so timestamp_ntz whatever the session's zone.
  Infinity is 9223372036825200000 and -9223372036832400000 microseconds (a thousandth of it in milliseconds), in nanoseconds the greatest
  and the least long. Digits below microseconds are cut off the value, and `special` has all of them. Microseconds that no long holds come as
  the greatest long plus the fraction of the second, which wraps to one of the least (seen in 3.6.3, capture types). Any other number
  outside 4713 BC to 294276, the full range of a database, has another unit and is refused.
  Oracle's date comes under connect in milliseconds or, according to the documentation, in days. It has full seconds, so a number that is not a
  multiple of a thousand is days, and so is one near 1970.
#}
{% macro decode_timestamp(type, settings) %}
  {% set mode = settings['time_precision_mode'] %}
  {% if mode == 'days' and type['name'] == 'date' %}
    {# Oracle's date, where its schema says so (see decoder_by_schema) #}
    {{ return({
      'literal': 'bigint',
      'type': 'timestamp_ntz',
      'schema_names': "array('org.apache.kafka.connect.data.Date')",
      'value': "case when {raw} between -719162 and 2932896 then timestampadd(day, cast({raw} as int), timestamp_ntz'1970-01-01 00:00:00') end",
      'refuse': "not {raw} between -719162 and 2932896",
    }) }}
  {% endif %}
  {% if mode == 'structured' %}
    {% set moment = afterimage.structured_moment(['date', 'time'], type['zero_dates']) %}
    {{ return(afterimage.structured_value(moment, 'timestamp_ntz', '{raw}.year between 1 and 9999', moment['picoseconds'] ~ ' % 1000000 > 0')) }}
  {% endif %}
  {% set is_text = mode == 'isostring' %}
  {% set in_millis = mode == 'connect' or (type['arguments'][0] <= 3 and mode in ['adaptive', 'adaptive_time_microseconds']) %}
  {# a text is read to the microsecond, however many digits its type has #}
  {% set digits = 6 if is_text else 3 if in_millis else 9 if mode == 'nanoseconds' or type['arguments'][0] > 6 else 6 %}
  {% set second = 10 ** digits %}
  {% set number = "unix_micros(try_cast({raw} as timestamp))" if is_text else "{raw}" %}
  {% set fits = number ~ " between " ~ -62135596800 * second ~ " and " ~ (253402300800 * second - 1) if digits < 9
                else "{raw} not in (9223372036854775807, -9223372036854775807 - 1)" %}
  {% set finer = afterimage._digits_below_micros() if is_text else none %}
  {% set is_finer = finer ~ " is not null" if is_text else "{raw} % 1000 <> 0" if digits == 9 else none %}
  {# the last years PostgreSQL has, whose microseconds no long holds #}
  {% set printed = "replace(rtrim('Z', substr({raw}, 2)), 'T', ' ')" %}
  {% set is_last = "{raw} rlike '^[+]2942[4-7][0-9]-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?Z$'" %}
  {% set micros = number ~ " * 1000" if digits == 3 else "{raw} div 1000 - if({raw} % 1000 < 0, 1, 0)" if digits == 9 else number %}
  {% set days = "floor(" ~ number ~ " / " ~ 86400 * second ~ "BD)" %}
  {% set of_day = "pmod(" ~ number ~ ", " ~ 86400 * second ~ "L)" %}
  {% set is_some = number ~ " between " ~ -210866803200 * second ~ " and " ~ ([9224318016000 * second - 1, 9223372036854775807] | min) %}
  {% set is_latest = number ~ " <= -9223372036853775809" if digits == 6 and not is_text else "false" %}
  {% set infinities = ["= 9223372036854775807", "= -9223372036854775807 - 1"] if digits == 9
                      else ["= " ~ 9223372036825200000 * second // 1000000, "= -" ~ 9223372036832400000 * second // 1000000] %}
  {% set wrapped, wrapped_whole, wrapped_text = [], [], [] %}
  {% for far, text in type['wrapped_nanoseconds'].items() if digits == 9 %}
    {% set is_whole = text | length <= 26 %}
    {% do wrapped.append("when {raw} = " ~ far ~ " then timestamp_ntz'" ~ text[:26] ~ "' ") %}
    {% if is_whole %}{% do wrapped_whole.append(wrapped[-1]) %}{% endif %}
    {% do wrapped_text.append("when {raw} = " ~ far ~ " then " ~ ("null " if is_whole else "'" ~ text ~ "' ")) %}
  {% endfor %}
  {% set days_alone = "when {raw} between -719162 and 2932896 and ({raw} % 1000 <> 0 or {raw} between -100000 and 100000) then timestampadd(day, cast({raw} as int), timestamp_ntz'1970-01-01 00:00:00') "
                      if mode == 'connect' and type['name'] == 'date' else "" %}
  {% set moment = "timestampadd(microsecond, " ~ micros ~ ", timestamp_ntz'1970-01-01 00:00:00')" %}
  {{ return({
    'literal': 'string' if is_text else 'bigint',
    'type': 'timestamp_ntz',
    'from_bare': "try_cast(rtrim('Z', {raw}) as timestamp_ntz)" if mode == 'connect' else none,
    'bare_form': '[0-9]{4,}-[0-9]',
    'schema_names': none if is_text else afterimage._names_of_clock('Timestamp', digits),
    'value': "case " ~ wrapped | join ~ days_alone ~ "when " ~ fits ~ " then " ~ moment ~ " end",
    'plain': afterimage._plain_iso("try_cast(rtrim('Z', {raw}) as timestamp_ntz)") if is_text
             else "case " ~ wrapped_whole | join ~ "when {raw} % 1000 = 0 then timestampadd(microsecond, {raw} div 1000, timestamp_ntz'1970-01-01 00:00:00') end" if digits == 9
             else "case " ~ days_alone ~ "when " ~ fits ~ " then " ~ moment ~ " end",
    'special': "case " ~ wrapped_text | join ~ "when " ~ number ~ " " ~ infinities[0] ~ " then 'infinity' when " ~ number ~ " " ~ infinities[1]
               ~ " then '-infinity'"
               ~ (" when " ~ is_latest ~ " then 'after 294247-01-10 04:00:54'" if is_latest != 'false' else "")
               ~ " when " ~ (is_finer if digits == 9 else "(not (" ~ fits ~ ") or " ~ is_finer ~ ")" if is_text else is_some ~ " and not (" ~ fits ~ ")") ~ " then "
               ~ (afterimage._moment_text(days, of_day ~ " * 1000 + coalesce(" ~ finer ~ ", 0)", 9) if finer else afterimage._moment_text(days, of_day, digits))
               ~ (" when " ~ number ~ " is null and " ~ is_last ~ " then if({raw} like '%.%', rtrim('.', rtrim('0', " ~ printed ~ ")), " ~ printed ~ ")" if is_text else "") ~ " end",
    'refuse': "{raw} is not null and (not ({raw} like '%Z' or {raw} rlike '[-+][0-9]{2}:[0-9]{2}(:[0-9]{2})?$') or (" ~ number ~ " is null and not " ~ is_last ~ "))" if is_text
              else "not (" ~ [is_some, number ~ " " ~ infinities[0], number ~ " " ~ infinities[1], is_latest] | join(' or ') ~ ")" if digits < 9 else none,
  }) }}
{% endmacro %}


{# The value of an ISO text in UTC with no more digits than microseconds have, NULL for any other: a template. In: value, SQL. #}
{% macro _plain_iso(value) %}
  {{ return("case when {raw} rlike '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?Z$' then " ~ value ~ " end") }}
{% endmacro %}


{#
  Nanoseconds below the microsecond that an ISO text has and Spark cuts off, NULL where there are none. The fraction follows the only
  point. In and out: SQL.
#}
{% macro _digits_below_micros() %}
  {# most have no more than six digits, which their length shows #}
  {{ return("case when length({raw}) > 27 and {raw} rlike '[.][0-9]{6}0*[1-9]' then cast(rpad(regexp_extract({raw}, '[.][0-9]{6}([0-9]{1,3})', 1), 3, '0') as bigint) end") }}
{% endmacro %}
