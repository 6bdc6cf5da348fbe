{#
  date: days since 1970-01-01; under isostring the text 2024-02-29Z, under structured an object of year, month and day.
  infinity is one number (or text) in the stream and another in the snapshot; both are recognised, so that no false version arises.
  Years outside 1..9999 and infinities go to `special` as PostgreSQL prints them, MySQL's dates with a 0 as MySQL does.
#}
{% macro decode_date(type, settings) %}
  {% if settings['time_precision_mode'] == 'structured' %}
    {{ return(afterimage.structured_value(afterimage.structured_moment(['date'], type['zero_dates']), 'date', '{raw}.year between 1 and 9999')) }}
  {% endif %}
  {% set is_text = settings['time_precision_mode'] == 'isostring' %}
  {# a snapshot's infinities, in years that Spark does not read; the day depends on the connector's zone #}
  {% set infinities = "when {raw} like '+292278994-%' then 'infinity' when {raw} like '+292269055-%' then '-infinity' " if is_text else '' %}
  {% set days = "unix_date(try_cast(rtrim('Z', {raw}) as date))" if is_text else '{raw}' %}
  {{ return({
    'literal': 'string' if is_text else 'int',
    'type': 'date',
    'from_bare': 'try_cast({raw} as date)' if settings['time_precision_mode'] == 'connect' else none,
    'bare_form': '[0-9]{4,}-[0-9]',
    'schema_names': none if is_text else "array('io.debezium.time.Date', 'org.apache.kafka.connect.data.Date')",
    'value': 'case when ' ~ days ~ ' between -719162 and 2932896 then date_from_unix_date(' ~ days ~ ') end',
    'plain': none if is_text else 'case when {raw} between -719162 and 2932896 then date_from_unix_date({raw}) end',
    'special': "case " ~ infinities ~ "when " ~ days ~ " in (-2147472692, -622191234) then 'infinity' when " ~ days ~ " in (-2147472691, -625821272) then '-infinity'"
               ~ " when not " ~ days ~ " between -719162 and 2932896 then " ~ afterimage._moment_text(days) ~ " end",
    'refuse': "{raw} is not null and (not {raw} rlike '^[-+]?[0-9]{4,}-[0-9]{2}-[0-9]{2}Z?$' or (" ~ days ~ " is null and {raw} not like '+292278994-%' and {raw} not like '+292269055-%'))" if is_text else none,
  }) }}
{% endmacro %}


{#
  A day, or a moment of it, as PostgreSQL prints it in any era: 0044-03-15 12:00:00+00 BC. A lambda binds what is used many times.
  In: days since 1970-01-01; fraction, number of fractions of a second since midnight, of which 10^digits make one; zone, a text behind the
  time. In and out: SQL.
#}
{% macro _moment_text(days, fraction=none, digits=6, zone='') %}
  {% set year = "year(m.day)" %}
  {% set texts = ["lpad(if(" ~ year ~ " > 0, " ~ year ~ ", 1 - " ~ year ~ "), greatest(4, length(abs(" ~ year ~ "))), '0')",
                  "'-'", "lpad(month(m.day), 2, '0')", "'-'", "lpad(day(m.day), 2, '0')"] %}
  {% if fraction %}{% do texts.extend(["' '", afterimage._time_text('m.fraction', digits)] + (["'" ~ zone ~ "'"] if zone else [])) %}{% endif %}
  {% set bound = "date_from_unix_date(cast(" ~ days ~ " as int)) as day" ~ (", " ~ fraction ~ " as fraction" if fraction else "") %}
  {{ return("get(transform(array(struct(" ~ bound ~ ")), m -> concat(" ~ texts | join(', ') ~ ", if(" ~ year ~ " > 0, '', ' BC'))), 0)") }}
{% endmacro %}
