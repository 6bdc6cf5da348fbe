{#
  The first Kafka header of a name as text (SQL), in a step that has `headers`; NULL without one.
  Not by a lambda, which Spark interprets row by row, though most records have no such header; but see
  kafka_header_by_lambda.
#}
{% macro kafka_header(name) %}
  {{ return("cast(" ~ afterimage.kafka_header_bytes(name) ~ " as string)") }}
{% endmacro %}
