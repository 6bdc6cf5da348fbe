{# The text of a column's value that fits no Spark type. In: name of the column; special, SQL of such a JSON object. Out: SQL text. #}
{% macro special_text(name, special='_cdc_special') %}
  {{ return("from_json(" ~ special ~ ", 'map<string, string>')[" ~ afterimage.literal(name) ~ "]") }}
{% endmacro %}
