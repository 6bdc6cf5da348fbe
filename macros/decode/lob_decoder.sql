{#
  The decoder of a LOB where lob.enabled is false (the default): an event has the column without a value, as NULL, as an empty
  text because the column may not be NULL, or as the placeholder. None of these is the row's value, so the column is unknown; a value
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

