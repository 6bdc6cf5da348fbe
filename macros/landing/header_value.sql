{#
  What a Kafka header says, whatever wrote it, in a step that has `headers`: the text itself; of JSON's converter the text within the quotes and what is
  behind a schema; bytes that are no UTF-8 as hexadecimal. The first header of the name; NULL when it is not there. In: name. Out: SQL text.
#}
{% macro header_value(name) %}
  {% set said = "get(transform(array(" ~ afterimage.without_schema('t') ~ "), s -> coalesce(if(startswith(s, '\"'), get_json_object(concat('[', s, ']'), '$[0]'), null), s)), 0)" %}
  {{ return("get(transform(array(" ~ afterimage.kafka_header_bytes(name) ~ "), b -> get(transform(array(cast(b as string)), t -> "
            ~ "if(is_valid_utf8(t), " ~ said ~ ", lower(hex(b)))), 0)), 0)") }}
{% endmacro %}
