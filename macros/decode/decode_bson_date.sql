{#
  MongoDB date: milliseconds since 1970, UTC, which ExtractNewDocumentState writes as a number; outside the years 1 to 9999 in _cdc_special.
  Out: dict of templates, see decoder.
#}
{% macro decode_bson_date(type, settings) %}
  {% set form = '^(-?[0-9]+)$' if type['has_bare_values'] else '^\\{"\\$date":\\{"\\$numberLong":"(-?[0-9]+)"\\}\\}$' %}
  {% set millis = "try_cast(nullif(regexp_extract({raw}, " ~ afterimage.literal(form) ~ ", 1), '') as bigint)" %}
  {{ return(afterimage.bson_decoder('timestamp', "if(" ~ millis ~ " between -62135596800000 and 253402300799999, timestamp_millis(" ~ millis ~ "), null)")) }}
{% endmacro %}
