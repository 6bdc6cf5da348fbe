{# The text of a column's value that fits no Spark type, from _cdc_special. In: column name. Out: SQL text. #}
{% macro special_text(name) %}
  {{ return("from_json(_cdc_special, 'map<string, string>')[" ~ afterimage.literal(name) ~ "]") }}
{% endmacro %}
