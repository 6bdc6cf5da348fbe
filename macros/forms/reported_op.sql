{#
  An operation as the record itself has it, for forms with a letter of their own for an operation not sent (x, see written_row_op): an x in a
  record is none of Debezium's operations, and is refused as such. In and out: SQL text.
#}
{% macro reported_op(text) %}
  {{ return("if(" ~ text ~ " = 'x', 'x, as the record says', " ~ text ~ ")") }}
{% endmacro %}
