{#
  Whether the row before has a value that an update left alone, and that the row after it therefore lacks: under REPLICA IDENTITY FULL.
  In: contract. Out: true or false.
#}
{% macro unsent_is_in_before(contract) %}
  {{ return(contract['replica_identity'] == 'full' and afterimage.connector(contract)['before_is_whole']) }}
{% endmacro %}
