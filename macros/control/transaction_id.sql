{#
  The id of a transaction in a record of the transaction topic, in the form of _cdc_tx_id (see connector). In and out:
  SQL text.
#}
{% macro transaction_id(id, contract) %}
  {{ return(afterimage.fill(afterimage.connector(contract)['transaction_id'], id)) }}
{% endmacro %}
