{#
  The number of digits after the decimal point in the text of a number, without trailing zeros: 1.50 has 1, 1.5E-7 has 8, 15E2 none (-2). Zero has
  fewer than any type, even one of a negative scale; an exponent that no number of a database has counts as more. In and out: SQL.
#}
{% macro digits_behind_point(text) %}
  {% set digits = "regexp_extract(" ~ text ~ ", '^[-+]?([0-9]*)[.]?([0-9]*)', " %}
  {% set exponent = "coalesce(nullif(regexp_extract(" ~ text ~ ", '[eE]([-+]?[0-9]+)$', 1), ''), '0')" %}
  {# 10E-1 is 1: without a fraction the zeros before the point count #}
  {% set kept = "if(rtrim('0', " ~ digits ~ "2)) = '', length(rtrim('0', " ~ digits ~ "1))) - length(" ~ digits ~ "1)), length(rtrim('0', " ~ digits ~ "2))))" %}
  {{ return("if(ltrim('0', concat(" ~ digits ~ "1), " ~ digits ~ "2))) = '', -99999, " ~ kept ~ " - coalesce(try_cast(" ~ exponent ~ " as int), -99999))") }}
{% endmacro %}
