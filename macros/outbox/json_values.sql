{# Whether (SQL) a text is exactly one JSON value, with no duplicate key in any object. Never NULL. In: SQL text. #}
{% macro is_json(text) %}
  {{ return("coalesce(try_variant_get(" ~ afterimage._json_and_mark(text) ~ ", '$[1]', 'string') = md5(" ~ text ~ "), false)") }}
{% endmacro %}


{#
  A JSON value as text (SQL) that is the same for equal values: keys in order, no spaces, numbers without trailing
  zeros. NULL for anything else.
#}
{% macro json_normal(text) %}
  {{ return("to_json(try_variant_get(" ~ afterimage._json_and_mark(text) ~ ", '$[0]', 'variant'))") }}
{% endmacro %}


{# Spark's parser stops after the first value: a marker that no text can contain is appended, and must be found. #}
{% macro _json_and_mark(text) %}
  {{ return("try_parse_json(concat('[', " ~ text ~ ", ',\"', md5(" ~ text ~ "), '\"]'))") }}
{% endmacro %}


{# Whether (SQL) a text is exactly one JSON string. #}
{% macro is_json_string(text) %}
  {{ return(text ~ " rlike " ~ afterimage.literal('\\A' ~ afterimage._json_string() ~ '\\z')) }}
{% endmacro %}


{# The value of a JSON string (SQL); NULL for anything else. #}
{% macro json_string(text) %}
  {{ return("get_json_object(concat('[', " ~ text ~ ", ']'), '$[0]')") }}
{% endmacro %}


{# Whether (SQL) a text has a JSON converter's schema block before its payload, or Apicurio's id of one. #}
{% macro has_schema_block(text) %}
  {{ return("coalesce(" ~ text ~ " rlike " ~ afterimage.literal('\\A\\s*\\{\\s*(?:"schema"\\s*:\\s*(?:\\{\\s*"type"\\s*:|null\\s*,)|"schemaId"\\s*:\\s*[0-9]+\\s*,)')
            ~ " and array_join(json_object_keys(" ~ text ~ "), ' ') in ('schema payload', 'schemaId payload'), false)") }}
{% endmacro %}


{#
  A key or a header as plain text (SQL), whichever converter wrote it: without schema block, and as json_unquoted. In:
  SQL text.
#}
{% macro json_plain(text) %}
  {% set value = "if(" ~ afterimage.has_schema_block(text) ~ ", " ~ afterimage.json_member(text, 'payload') ~ ", " ~ text ~ ")" %}
  {{ return("get(transform(array(" ~ value ~ "), v -> " ~ afterimage.json_unquoted('v') ~ "), 0)") }}
{% endmacro %}


{#
  A member of a document as plain text (SQL): without the quotes of a JSON string, and without the wrapper of a
  MongoDB id or number. NULL and the JSON null become NULL. In: SQL text, preferably a name, because it is used
  several times.
#}
{% macro json_unquoted(text) %}
  {{ return("case when " ~ text ~ " = 'null' then null when " ~ afterimage.is_json_string(text) ~ " then " ~ afterimage.json_string(text)
            ~ " when startswith(" ~ text ~ ", '{') then coalesce(get_json_object(" ~ text ~ ", \"$['$oid']\"), get_json_object(" ~ text ~ ", \"$['$numberLong']\"), get_json_object(" ~ text ~ ", \"$['$numberInt']\"), " ~ text ~ ") else " ~ text ~ " end") }}
{% endmacro %}
