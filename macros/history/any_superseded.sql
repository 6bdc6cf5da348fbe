{# Whether any change of the log is superseded: known once a run, so that all others pay nothing. #}
{% macro any_superseded(changes, contract) %}
  {% if not afterimage.connector(contract)['committed_after'] %}{{ return(false) }}{% endif %}
  {% if not afterimage.is_model_run() %}{{ return(true) }}{% endif %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {% if seen is not none %}{{ return(seen['superseded']) }}{% endif %}
  {{ return(afterimage.ask('did one commit overtake another', "select 1 from " ~ changes ~ " where _cdc_committed_after > _cdc_position limit 1").rows | length > 0) }}
{% endmacro %}
