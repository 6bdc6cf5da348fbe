{#
  Unified type date of Datastream: 2024-02-08; for MySQL its midnight, 2024-02-08T00:00:00Z; or days since 1970. Out: as decode_date.
  Any other time of day is not a date, and is refused.
#}
{% macro decode_unified_date(type, settings) %}
  {% set found = afterimage.decode_date(type, {'time_precision_mode': 'isostring'}) %}
  {% set text = "regexp_replace({raw}, 'T00:00:00([.]0+)?(Z|[+]00:00)?$', '')" %}
  {% set text = "case when {raw} rlike '^-?[0-9]{1,7}$' then cast(date_from_unix_date(try_cast({raw} as int)) as string) else " ~ text ~ " end" %}
  {{ return(afterimage.decoder_behind(found, text)) }}
{% endmacro %}
