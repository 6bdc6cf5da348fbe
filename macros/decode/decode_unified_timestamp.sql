{#
  Unified type timestamp of Datastream, a wall clock: ISO text, whose Z means no zone, or microseconds since 1970. Out: as decode_timestamp.
  PostgreSQL's infinities are 9223372036825200000 and -9223372036832400000 microseconds, or the words.
#}
{% macro decode_unified_timestamp(type, settings) %}
  {{ return(afterimage.decoder_behind(afterimage.decode_timestamp(type, {'time_precision_mode': 'isostring'}), afterimage.unified_moment())) }}
{% endmacro %}
