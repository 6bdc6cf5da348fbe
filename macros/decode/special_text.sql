{# The text of a column's value that fits no Spark type, from the JSON in _cdc_special. In: SQL of the JSON, column name. Out: SQL text. #}
{% macro special_text(special, name) %}
  {{ return("from_json(" ~ special ~ ", 'map<string, string>')[" ~ afterimage.literal(name) ~ "]") }}
{% endmacro %}
