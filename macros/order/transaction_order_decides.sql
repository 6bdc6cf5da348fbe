{#
  Whether the order within the transaction (total_order) distinguishes changes that share position and key. In: contract. Out: boolean.
  Where a position identifies a row (see connector), a key has one change there, or its own key-change pair. The number then adds nothing, and
  misleads when the connector restarts within the transaction, because it counts from 1 again. Rows of a table without a key may be equal and
  share a position.
#}
{% macro transaction_order_decides(contract) %}
  {{ return(not contract['key'] or not afterimage.connector(contract)['position_identifies_row']) }}
{% endmacro %}
