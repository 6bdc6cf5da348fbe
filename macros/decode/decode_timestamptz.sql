{#
  timestamptz: ISO text in UTC (2024-01-01T00:00:00.000000Z), or infinity, -infinity.
  Years outside 1..9999 arrive signed (-0043-03-15T…, +10000-01-01T…) and go to `special` as PostgreSQL prints them in UTC.
#}
{% macro decode_timestamptz(type, settings) %}
  {% set ordinary = "{raw} rlike '^[0-9]{4}-' and {raw} not like '0000-%'" %}
  {% set rest = "concat(substr({raw}, instr({raw}, 'T') - 6, 6), ' ', if({raw} like '%.%Z', rtrim('.', rtrim('0', substr({raw}, instr({raw}, 'T') + 1, length({raw}) - instr({raw}, 'T') - 1))), substr({raw}, instr({raw}, 'T') + 1, length({raw}) - instr({raw}, 'T') - 1)), '+00')" %}
  {% set year = "try_cast(left({raw}, instr({raw}, 'T') - 7) as int)" %}
  {{ return({
    'literal': 'string',
    'type': 'timestamp',
    'value': "case when " ~ ordinary ~ " then try_cast({raw} as timestamp) end",
    'special': "case when {raw} in ('infinity', '-infinity') then {raw} when not (" ~ ordinary ~ ") then concat(lpad(cast(if("
               ~ year ~ " > 0, " ~ year ~ ", 1 - " ~ year ~ ") as string), greatest(4, length(cast(abs(" ~ year ~ ") as string))), '0'), "
               ~ rest ~ ", if(" ~ year ~ " > 0, '', ' BC')) end",
    'refuse': "{raw} is not null and {raw} not in ('infinity', '-infinity') and (not {raw} rlike '^[-+]?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?Z$' or ("
              ~ ordinary ~ " and try_cast({raw} as timestamp) is null))",
  }) }}
{% endmacro %}
