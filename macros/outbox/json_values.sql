{# Whether (SQL) a text is one JSON value and nothing behind it, no object in it with a key twice. Not NULL. In: SQL text. #}
{% macro is_json(text) %}
  {{ return("coalesce(try_variant_get(" ~ afterimage._json_and_mark(text) ~ ", '$[1]', 'string') = md5(" ~ text ~ "), false)") }}
{% endmacro %}


{# A JSON value as text (SQL) that is the same for equal values: keys in order, no spaces, numbers without zeros behind. NULL where it is none. #}
{% macro json_normal(text) %}
  {{ return("to_json(try_variant_get(" ~ afterimage._json_and_mark(text) ~ ", '$[0]', 'variant'))") }}
{% endmacro %}


{# Spark's parser does not look behind the first value: a mark that no text can have in it is put there, and must be found. #}
{% macro _json_and_mark(text) %}
  {{ return("try_parse_json(concat('[', " ~ text ~ ", ',\"', md5(" ~ text ~ "), '\"]'))") }}
{% endmacro %}


{# Whether (SQL) a text is a JSON string, whole. #}
{% macro is_json_string(text) %}
  {{ return(text ~ " rlike " ~ afterimage.literal('\\A' ~ afterimage._json_string() ~ '\\z')) }}
{% endmacro %}


{# What a JSON string says (SQL); NULL where it is none. #}
{% macro json_string(text) %}
  {{ return("get_json_object(concat('[', " ~ text ~ ", ']'), '$[0]')") }}
{% endmacro %}


{# Whether (SQL) a text has the schema block of a JSON converter before its payload, or Apicurio's id of one. #}
{% macro has_schema_block(text) %}
  {{ return("coalesce(" ~ text ~ " rlike " ~ afterimage.literal('\\A\\s*\\{\\s*(?:"schema"\\s*:\\s*(?:\\{\\s*"type"\\s*:|null\\s*,)|"schemaId"\\s*:\\s*[0-9]+\\s*,)')
            ~ " and array_join(json_object_keys(" ~ text ~ "), ' ') in ('schema payload', 'schemaId payload'), false)") }}
{% endmacro %}


{#
  A key or a header as plain text (SQL), by whichever converter it was written: without schema block, and as json_unquoted. In: SQL text.
#}
{% macro json_plain(text) %}
  {% set value = "if(" ~ afterimage.has_schema_block(text) ~ ", " ~ afterimage.json_member(text, 'payload') ~ ", " ~ text ~ ")" %}
  {{ return("get(transform(array(" ~ value ~ "), v -> " ~ afterimage.json_unquoted('v') ~ "), 0)") }}
{% endmacro %}


{#
  A member of a document as plain text (SQL): without the quotes of a JSON string, and without the wrapper of a MongoDB id or number. NULL stays NULL, and so does
  the JSON null. In: SQL text, best a name, for it stands there several times.
#}
{% macro json_unquoted(text) %}
  {{ return("case when " ~ text ~ " = 'null' then null when " ~ afterimage.is_json_string(text) ~ " then " ~ afterimage.json_string(text)
            ~ " when startswith(" ~ text ~ ", '{') then coalesce(get_json_object(" ~ text ~ ", \"$['$oid']\"), get_json_object(" ~ text ~ ", \"$['$numberLong']\"), get_json_object(" ~ text ~ ", \"$['$numberInt']\"), " ~ text ~ ") else " ~ text ~ " end") }}
{% endmacro %}
