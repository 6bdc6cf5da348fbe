{#
  The operations that the connector leaves out (its skipped.operations): no model sees their effect on rows.
  In: contract; said, true for only those that the contract itself names, without the defaults. Out: list of c, u, d, t.
#}
{% macro skipped_operations(contract, said=false) %}
  {{ return(contract['settings']['skipped_operations'] | reject('equalto', 'none') | list if not said or 'skipped_operations' in contract['settings_said'] else []) }}
{% endmacro %}
