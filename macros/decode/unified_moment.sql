{#
  A moment as ISO text with T and zone (SQL of {raw}): from microseconds since 1970 (any integer: no text is only a year), or from a text with
  a space or without zone.
#}
{% macro unified_moment() %}
  {% set text = "if({raw} rlike '^[-+]?[0-9]{4,6}-[0-9]{2}-[0-9]{2}$', concat({raw}, 'T00:00:00'), replace({raw}, ' ', 'T'))" %}
  {% set zoned = "if({raw} rlike '[0-9](Z|[-+][0-9]{2}:[0-9]{2}(:[0-9]{2})?)$' and {raw} like '%:%', " ~ text ~ ", concat(" ~ text ~ ", 'Z'))" %}
  {% set counted = "concat(replace(cast(timestampadd(microsecond, try_cast({raw} as bigint), timestamp_ntz'1970-01-01 00:00:00') as string), ' ', 'T'), 'Z')" %}
  {{ return("case when {raw} in ('infinity', '-infinity') then {raw} when {raw} = '9223372036825200000' then 'infinity' when {raw} = '-9223372036832400000' then '-infinity' when {raw} rlike '^-?[0-9]{1,19}$' then if(try_cast({raw} as bigint) between -62135596800000000 and 253402300799999999, "
            ~ counted ~ ", null) else " ~ zoned ~ " end") }}
{% endmacro %}
