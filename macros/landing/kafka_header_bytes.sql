{# The first Kafka header of a name as bytes (SQL), in a step that has `headers`; NULL without one. #}
{% macro kafka_header_bytes(name) %}
  {{ return("get(headers.value, cast(array_position(headers.key, " ~ afterimage.literal(name) ~ ") as int) - 1)") }}
{% endmacro %}
