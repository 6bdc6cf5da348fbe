{#
  Whether the log holds a change that tells the whole row before it: known once a run, so that all others pay nothing. In a unit test, which is of one
  statement with all there can be in it, the contract alone decides.
#}
{% macro any_whole_before(changes) %}
  {% if not afterimage.is_model_run() %}{{ return(false) }}{% endif %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {{ return(seen is none or seen.get('whole_before', false)) }}
{% endmacro %}
