{#
  JSON text whose numbers of a thousand characters or more are texts: functions of JSON take a text with one for broken, or give NULL for it.
  No Spark type holds such a number. Texts within the JSON stay as they are. In and out: SQL text.
#}
{% macro long_numbers_quoted(text) %}
  {% set not_one = '[^"0-9-]++|"(?:[^"\\\\]++|\\\\.)*+"|-?+[0-9][-+.0-9eE]{0,998}+(?![-+.0-9eE])|-(?![0-9])' %}
  {{ return("regexp_replace(" ~ text ~ ", " ~ afterimage.literal('\\G((?:' ~ not_one ~ ')*+)(-?[0-9][-+.0-9eE]{999,}+)') ~ ", '$1\"$2\"')") }}
{% endmacro %}


{# Whether records may have such numbers: where decimals are JSON numbers. In: contract. #}
{% macro has_long_numbers(contract) %}
  {{ return(contract['settings']['decimal_format'] == 'NUMERIC') }}
{% endmacro %}
