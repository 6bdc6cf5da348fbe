{#
  An operation as the record itself tells it, of forms that have a letter of their own for what no record tells (x, see written_row_op): where a
  record says x, that is none of Debezium's operations, and is refused as such. In and out: SQL text.
#}
{% macro told_op(text) %}
  {{ return("if(" ~ text ~ " = 'x', 'x, as the record says', " ~ text ~ ")") }}
{% endmacro %}
