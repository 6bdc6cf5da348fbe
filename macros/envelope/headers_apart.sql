{# The names and the values of a record's headers, each as an array of its own: the headers as a table of any format keeps them. In and out: SQL. #}
{% macro headers_apart(headers) %}
  {{ return("named_struct('key', " ~ headers ~ ".key, 'value', cast(" ~ headers ~ ".value as array<binary>))") }}
{% endmacro %}


{# Its type. #}
{% macro headers_apart_type() %}
  {{ return('struct<key: array<string>, value: array<binary>>') }}
{% endmacro %}
