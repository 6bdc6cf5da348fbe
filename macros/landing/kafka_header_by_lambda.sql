{#
  Text (SQL) of a Kafka header as the converter wrote it, without the quotes of JSON, by a lambda; NULL without one.
  Spark compiles the steps of a statement into one Java method, and the JVM interprets a method of more than 8,000
  bytes. A step with a lambda is compiled into separate, short methods: a wide step runs a quarter faster with one
  (docs/decisions/0035-short-methods.md).
#}
{% macro kafka_header_by_lambda(name) %}
  {{ return("trim('\"', cast(get(filter(headers, h -> h.key = " ~ afterimage.literal(name) ~ "), 0).value as string))") }}
{% endmacro %}
