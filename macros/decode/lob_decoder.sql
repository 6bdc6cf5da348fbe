{#
  The decoder of a LOB where lob.enabled is false (which it is unless set): an event has the column without a value, be it NULL, an empty
  text because the column may not be NULL, or the placeholder. None of these is said of the row, so the column is unknown; a value
  contradicts the setting and is refused.
  Source: Oracle connector documentation, lob.enabled.
#}
{% macro lob_decoder(decoder) %}
  {{ return(dict(decoder,
    unknown="({raw} is null or {raw} = '' or " ~ decoder['unknown'] ~ ")",
    refuse='{raw} is not null',
    plain=none,
    under=' where settings.lob_enabled is false')) }}
{% endmacro %}

