{# Whether the log holds an update that tells another key than the row had: known once a run, so that all others pay nothing. #}
{% macro any_moved_update(changes) %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {{ return(seen is none or seen.get('moved_updates', false)) }}
{% endmacro %}
