{#
  The operations that the connector leaves out (its skipped.operations): what they do to rows is seen by no model.
  In: contract; said, true for those alone that the contract itself names, without what holds by default. Out: list of c, u, d, t.
#}
{% macro skipped_operations(contract, said=false) %}
  {{ return(contract['settings']['skipped_operations'] | reject('equalto', 'none') | list if not said or 'skipped_operations' in contract['settings_said'] else []) }}
{% endmacro %}
