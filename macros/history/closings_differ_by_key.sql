{# Whether a table-wide ending may end some keys and not others. #}
{% macro closings_differ_by_key(changes, contract) %}
  {{ return(contract['truncate_empties'] == 'partition' or 'snapshot_complete' in afterimage.operator_state_of(changes)['kinds']) }}
{% endmacro %}
