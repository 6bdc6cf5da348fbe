{#
  Dates, times and timestamps under time.precision.mode structured (Debezium 3.7): objects of their parts, with a year that counts 1 BC as 0,
  picoseconds (nanos in its first builds), and specialValue where there are no parts. Texts are assembled from the parts, and no part is
  used before it is known to be in range, so that a wrong one is refused and does not stop a run.

  In:  parts of the object: date, time, offset; zero_dates, whether 0 is a year, a month, a day (and 31 a day of any month).
  Out: dict of SQL templates of {raw}
    literal      type the object is read as
    picoseconds  of the second
    infinity     infinity, -infinity or NULL
    is_whole     whether the parts form a valid moment; not NULL
    era          ' BC' or ''
    text         the moment as the database prints it, without era; valid where is_whole
#}
{% macro structured_moment(parts, zero_dates=false) %}
  {% set fields, checks, texts = [], [], [] %}
  {% set second = "coalesce({raw}.picoseconds, cast({raw}.nanos as bigint) * 1000)" %}
  {% if 'date' in parts %}
    {% do fields.extend(['`year`: int', '`month`: int', '`day`: int', '`specialValue`: string']) %}
    {% set year = '{raw}.year' if zero_dates else 'if({raw}.year > 0, {raw}.year, 1 - {raw}.year)' %}
    {% do texts.append("lpad(" ~ year ~ ", greatest(4, length(" ~ year ~ ")), '0'), '-', lpad({raw}.month, 2, '0'), '-', lpad({raw}.day, 2, '0')") %}
    {# the calendar repeats every 400 years #}
    {% set in_cycle = "try_cast(concat(2000 + pmod({raw}.year, 400), '-', {raw}.month, '-', {raw}.day) as date) is not null" %}
    {% do checks.append("{raw}.year between 0 and 9999 and {raw}.month between 0 and 12 and {raw}.day between 0 and 31" if zero_dates
                        else "{raw}.year between -4999 and 5874897 and {raw}.month between 1 and 12 and {raw}.day between 1 and 31 and " ~ in_cycle) %}
  {% endif %}
  {% if 'time' in parts %}
    {% do fields.extend(['`hour`: int', '`minute`: int', '`second`: int', '`nanos`: int', '`picoseconds`: bigint']) %}
    {% do texts.append("lpad({raw}.hour, 2, '0'), ':', lpad({raw}.minute, 2, '0'), ':', lpad({raw}.second, 2, '0'), if(" ~ second ~ " = 0, '', concat('.', rtrim('0', lpad("
                       ~ second ~ ", 12, '0'))))") %}
    {% set in_day = "{raw}.hour between 0 and 23 and {raw}.minute between 0 and 59 and {raw}.second between 0 and 59 and " ~ second ~ " between 0 and 999999999999" %}
    {% do checks.append(in_day if 'date' in parts
                        else '(' ~ in_day ~ ' or ({raw}.hour = 24 and {raw}.minute = 0 and {raw}.second = 0 and ' ~ second ~ ' = 0))') %}
  {% endif %}
  {% if 'offset' in parts %}
    {% do fields.append('`offsetSeconds`: int') %}
    {% do checks.append('{raw}.offsetSeconds between -64800 and 64800') %}
  {% endif %}
  {{ return({
    'literal': 'struct<' ~ fields | join(', ') ~ '>',
    'picoseconds': second,
    'infinity': "case {raw}.specialValue when 'POSITIVE_INFINITY' then 'infinity' when 'NEGATIVE_INFINITY' then '-infinity' end" if 'date' in parts else none,
    'is_whole': 'coalesce(' ~ checks | join(' and ') ~ ', false)',
    'era': "if({raw}.year > 0, '', ' BC')" if 'date' in parts and not zero_dates else "''",
    'text': "concat(" ~ texts | join(", ' ', ") ~ ")",
  }) }}
{% endmacro %}
