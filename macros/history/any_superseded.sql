{# Whether any change of the log is superseded (see seen_in_batch), so that all others pay nothing. #}
{% macro any_superseded(changes, contract) %}
  {% if not afterimage.connector(contract)['committed_after'] %}{{ return(false) }}{% endif %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {{ return(seen is none or seen['superseded']) }}
{% endmacro %}
