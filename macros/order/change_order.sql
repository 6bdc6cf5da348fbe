{#
  The total order of the changes of a table as one text (design: order per key).
  position, then a stream event after a snapshot row of equal position, then transaction order,
  then the delete of a key change before its create, then the landing coordinate.
  In: names of the columns of the calling step; topic is none for a table of one topic. Out: SQL text expression.
#}
{% macro change_order(position, snapshot, tx_order, op, partition, offset, topic=none) %}
  {{ return(
    "concat_ws('.', " ~ position ~ ", if(" ~ snapshot ~ " = 'none', '1', '0'), lpad(cast(coalesce(" ~ tx_order ~ ", 0) as string), 10, '0'), if("
    ~ op ~ " = 'd', '0', '1'), lpad(cast(" ~ partition ~ " as string), 6, '0'), lpad(cast(" ~ offset ~ " as string), 20, '0')"
    ~ (', ' ~ topic if topic else '') ~ ")") }}
{% endmacro %}
