{#
  Whether the order within the transaction (total_order) tells changes apart that place and key do not. Where a place is that of a row
  (see connector), a key has one change at it, or the two halves of its own: the number then adds nothing, and misleads where the connector
  started again within the transaction, for it counts from 1 again. Rows of a table without a key may be equal, and lie at one place.
  In: contract. Out: boolean.
#}
{% macro transaction_order_tells(contract) %}
  {{ return(not contract['key'] or not afterimage.connector(contract)['position_identifies_row']) }}
{% endmacro %}
