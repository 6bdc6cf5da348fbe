{# Text (SQL) of a Kafka header as the converter wrote it, without the quotes of JSON; NULL when it is not there. #}
{% macro kafka_header_text(name) %}
  {{ return("trim('\"', " ~ afterimage.kafka_header(name) ~ ")") }}
{% endmacro %}
