{#
  The first Kafka header of a name as text (SQL), in a step that has `headers`; NULL when it is not there.
  Not by a lambda: Spark interprets those, row by row, though most records have no such header.
#}
{% macro kafka_header(name) %}
  {{ return("cast(" ~ afterimage.kafka_header_bytes(name) ~ " as string)") }}
{% endmacro %}
