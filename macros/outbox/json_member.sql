{#
  The text of one member of a JSON object as it stands there (SQL): spaces, order of keys and digits of numbers are kept, which no function of
  Spark does. NULL where there is no such member at the top, it lies more than 32 levels deep in itself, or the text is no JSON up to it.
  In: document (SQL text), name.

  One regular expression: every repeated group is possessive, so nothing is tried twice and a long text needs no stack.
#}
{% macro json_member(document, name) %}
  {% set value = afterimage._json_value(32) %}
  {% set key = afterimage._json_string_of(name) %}
  {% set pattern = '(?s)\\A\\s*\\{(?:\\s*(?!' ~ key ~ '\\s*:)' ~ afterimage._json_string() ~ '\\s*:\\s*' ~ value ~ '\\s*,)*+\\s*' ~ key ~ '\\s*:\\s*(' ~ value ~ ')\\s*[,}]' %}
  {{ return("nullif(regexp_extract(" ~ document ~ ", " ~ afterimage.literal(pattern) ~ ", 1), '')") }}
{% endmacro %}


{# Regular expression of a JSON value that has no more than so many levels within. #}
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
