{#
  Whether the log holds an update that tells another key than the row had: known once a run, so that all others pay nothing. A unit test, which is of one
  statement with all else there can be in it, has none: its plan would be too deep for Spark to resolve.
#}
{% macro any_moved_update(changes) %}
  {% if not afterimage.is_model_run() %}{{ return(false) }}{% endif %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {{ return(seen is none or seen.get('moved_updates', false)) }}
{% endmacro %}
