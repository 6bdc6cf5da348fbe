{# The id of a transaction in a record of the topic of transactions, as changes have it in _cdc_tx_id (see connector). In and out: SQL text. #}
{% macro transaction_id(id, contract) %}
  {{ return(afterimage.fill(afterimage.connector(contract)['transaction_id'], id)) }}
{% endmacro %}
