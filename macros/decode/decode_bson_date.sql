{# MongoDB date: milliseconds since 1970, UTC; beyond the years 1 to 9999 beside. Out: dict of templates, see decoder. #}
{% macro decode_bson_date(type, settings) %}
  {% set millis = "try_cast(nullif(regexp_extract({raw}, " ~ afterimage.literal('^\\{"\\$date":\\{"\\$numberLong":"(-?[0-9]+)"\\}\\}$') ~ ", 1), '') as bigint)" %}
  {{ return(afterimage.bson_beside('timestamp', "if(" ~ millis ~ " between -62135596800000 and 253402300799999, timestamp_millis(" ~ millis ~ "), null)")) }}
{% endmacro %}
