{#
  The text with its numbers with a point or an exponent, and NaN and Infinity, in {"$numberDouble":…}. Each match begins where the one before it
  ended, so skipped text is known to be complete strings.
#}
{% macro doubles_wrapped(text) %}
  {% set skipped = '[^"0-9NI-]++|"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?[0-9]++(?![0-9.eE])' %}
  {% set double = '-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity' %}
  {{ return('regexp_replace(' ~ text ~ ', ' ~ afterimage.literal('\\G((?:' ~ skipped ~ ')*+)(' ~ double ~ ')') ~ ", " ~ afterimage.literal('$1{"\\$numberDouble":"$2"}') ~ ')') }}
{% endmacro %}
