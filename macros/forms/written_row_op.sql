{#
  Operation (SQL) of a row that was written, where the record does not say which: x, or c where a header has the row's earlier key. Debezium
  writes a change of a key as a delete and a create, with that header on the create.
#}
{% macro written_row_op() %}
  {{ return("if(" ~ afterimage.kafka_header('__debezium.oldkey') ~ " is null, 'x', 'c')") }}
{% endmacro %}
