{#
  JSON text with numbers of a thousand characters or more turned into strings: JSON functions treat a text with such a
  number as broken, or return NULL for it. No Spark type holds such a number. Strings within the JSON are unchanged.
  In and out: SQL text.
#}
{% macro long_numbers_quoted(text) %}
  {% set not_one = '[^"0-9-]++|"(?:[^"\\\\]++|\\\\.)*+"|-?+[0-9][-+.0-9eE]{0,998}+(?![-+.0-9eE])|-(?![0-9])' %}
  {{ return("regexp_replace(" ~ text ~ ", " ~ afterimage.literal('\\G((?:' ~ not_one ~ ')*+)(-?[0-9][-+.0-9eE]{999,}+)') ~ ", '$1\"$2\"')") }}
{% endmacro %}


{# Whether records may have such numbers: when decimals are JSON numbers. In: contract. #}
{% macro has_long_numbers(contract) %}
  {{ return(contract['settings']['decimal_format'] == 'NUMERIC') }}
{% endmacro %}
