{#
  Text (SQL) of a Kafka header as the converter wrote it, without the quotes of JSON, by a lambda; NULL when it is not
  there. Spark compiles the steps of a statement into one Java method, and the JVM leaves a method of more than 8,000
  bytes to its interpreter. A step with a lambda becomes methods of its own, short ones: a wide step runs a quarter faster with one in it
  (docs/decisions/0035-short-methods.md).
#}
{% macro kafka_header_by_lambda(name) %}
  {{ return("trim('\"', cast(get(filter(headers, h -> h.key = " ~ afterimage.literal(name) ~ "), 0).value as string))") }}
{% endmacro %}
