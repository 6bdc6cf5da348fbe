{#
  The value of a Kafka header, whichever converter wrote it, in a step that has `headers`: the text itself; from the
  JSON converter the text within the quotes, and the value after a schema; bytes that are not UTF-8 as hexadecimal.
  The first header of the name; NULL without one. In: name. Out: SQL text.
#}
{% macro header_value(name) %}
  {% set said = "get(transform(array(" ~ afterimage.without_schema('t') ~ "), s -> coalesce(if(startswith(s, '\"'), get_json_object(concat('[', s, ']'), '$[0]'), null), s)), 0)" %}
  {{ return("get(transform(array(" ~ afterimage.kafka_header_bytes(name) ~ "), b -> get(transform(array(cast(b as string)), t -> "
            ~ "if(is_valid_utf8(t), " ~ said ~ ", " ~ afterimage.hex_text('b') ~ ")), 0)), 0)") }}
{% endmacro %}
