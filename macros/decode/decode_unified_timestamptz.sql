{#
  Unified types timestamp and timestamp with time zone of Datastream, an instant: ISO text, in UTC where it has no zone, or microseconds since
  1970. Out: as decode_timestamptz.
#}
{% macro decode_unified_timestamptz(type, settings) %}
  {{ return(afterimage.decoder_behind(afterimage.decode_timestamptz(type, {'time_precision_mode': 'isostring'}), afterimage.unified_moment())) }}
{% endmacro %}
