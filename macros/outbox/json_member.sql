{#
  The verbatim text of one member of a JSON object (SQL): with its spaces, order of keys and digits of numbers, which
  no Spark function keeps. NULL if there is no such top-level member, it is more than 32 levels deep, or the text up
  to it is no JSON.
  In: document (SQL text), name.

  One regular expression: every repeated group is possessive, so nothing is tried twice and a long text needs no
  stack.
#}
{% macro json_member(document, name) %}
  {% set value = afterimage._json_value(32) %}
  {% set key = afterimage._json_string_of(name) %}
  {% set pattern = '(?s)\\A\\s*\\{(?:\\s*(?!' ~ key ~ '\\s*:)' ~ afterimage._json_string() ~ '\\s*:\\s*' ~ value ~ '\\s*,)*+\\s*' ~ key ~ '\\s*:\\s*(' ~ value ~ ')\\s*[,}]' %}
  {{ return("nullif(regexp_extract(" ~ document ~ ", " ~ afterimage.literal(pattern) ~ ", 1), '')") }}
{% endmacro %}


{# Regular expression of a JSON value with at most so many levels of nesting. #}
{% macro _json_value(levels) %}
  {% set text = afterimage._json_string() %}
  {% set inner = namespace(form='(?:[^\\[\\]{}"]+|' ~ text ~ ')*+') %}
  {% for _ in range(levels) %}{% set inner.form = '(?:[^\\[\\]{}"]+|' ~ text ~ '|[\\[{]' ~ inner.form ~ '[\\]}])*+' %}{% endfor %}
  {{ return('(?:' ~ text ~ '|[\\[{]' ~ inner.form ~ '[\\]}]|[^\\s,"\\[\\]{}]+)') }}
{% endmacro %}


{# Regular expression of a JSON string. #}
{% macro _json_string() %}
  {{ return('"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"') }}
{% endmacro %}


{# Regular expression of the JSON string of a text. #}
{% macro _json_string_of(text) %}
  {{ return('"' ~ modules.re.escape(text | replace('\\', '\\\\') | replace('"', '\\"')) ~ '"') }}
{% endmacro %}
