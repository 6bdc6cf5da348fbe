{#
  A body in Avro as the text that Kafka Connect's JSON converter writes of the same value; NULL where it is no value of the schema, whole and
  with nothing behind it. In: body (SQL, binary), schema (text). Out: SQL text.

  The schema is put into a record of ours, whose bytes are those of the body and then eight of our own: what was read of the body is all of
  it if and only if these come out right.
#}
{% macro avro_json(body, schema) %}
  {% set frame = '{"type":"record","name":"_frame","fields":[{"name":"value","type":' ~ afterimage._without_logical_types(schema)
                 ~ '},{"name":"end","type":{"type":"fixed","name":"_end","size":8}}]}' %}
  {% set read = "to_json(from_avro(concat(" ~ body ~ ", X'61667465722E2E2E'), " ~ afterimage.literal(frame) ~ ", map('mode', 'PERMISSIVE')), map('ignoreNullFields', 'false'))" %}
  {{ return("nullif(regexp_extract(" ~ read ~ ", " ~ afterimage.literal('(?s)\\A\\{"value":(.*),"end":"YWZ0ZXIuLi4="\\}\\z') ~ ", 1), '')") }}
{% endmacro %}


{# Within a JSON text a quote that is not escaped begins or ends a string, so what is found is a key. #}
{% macro _without_logical_types(schema) %}
  {{ return(modules.re.sub('([{,]\\s*)"logicalType"(\\s*:)', '\\1"plainType"\\2', schema)) }}
{% endmacro %}
