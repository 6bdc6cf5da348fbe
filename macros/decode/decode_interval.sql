{#
  interval by interval.handling.mode. numeric: microseconds, in which the connector counts a year as 365.25 days and a month as 30.4375,
  so calendar parts are not recoverable; string: ISO 8601 text.
  Under time.precision.mode structured, whatever the other setting, an object of all its parts: the same text, exact.
#}
{% macro decode_interval(type, settings) %}
  {% if settings['time_precision_mode'] != 'structured' %}
    {% if not type['floating_intervals'] or settings['interval_handling_mode'] == 'string' %}
      {% set spark = 'bigint' if settings['interval_handling_mode'] == 'numeric' else 'string' %}
      {{ return({'literal': spark, 'type': spark, 'value': '{raw}'}) }}
    {% endif %}
    {# Oracle's documentation has a FLOAT64, 1.5E6, where connectors send an INT64 #}
    {{ return({'literal': 'decimal(38,6)', 'type': 'bigint', 'value': 'try_cast({raw} as bigint)', 'refuse': '{raw} is not null and not coalesce(try_cast({raw} as bigint) = {raw}, false)'}) }}
  {% endif %}
  {% set fraction = "coalesce({raw}.picoseconds, cast({raw}.nanos as bigint) * 1000)" %}
  {# a fraction has the sign of its seconds #}
  {% set is_whole = "coalesce(" ~ fraction ~ " between -999999999999 and 999999999999 and not ({raw}.seconds > 0 and " ~ fraction ~ " < 0) and not ({raw}.seconds < 0 and "
                    ~ fraction ~ " > 0) and concat({raw}.years, {raw}.months, {raw}.days, {raw}.hours, {raw}.minutes, {raw}.seconds) is not null, false)" %}
  {{ return({
    'literal': 'struct<years: int, months: int, days: int, hours: int, minutes: int, seconds: bigint, nanos: int, picoseconds: bigint>',
    'type': 'string',
    'value': "case when " ~ is_whole ~ " then concat('P', {raw}.years, 'Y', {raw}.months, 'M', {raw}.days, 'DT', {raw}.hours, 'H', {raw}.minutes, 'M', if({raw}.seconds = 0 and "
             ~ fraction ~ " < 0, '-', ''), {raw}.seconds, if(" ~ fraction ~ " = 0, '', concat('.', rtrim('0', lpad(abs(" ~ fraction ~ "), 12, '0')))), 'S') end",
    'refuse': "{raw} is not null and not " ~ is_whole,
  }) }}
{% endmacro %}
