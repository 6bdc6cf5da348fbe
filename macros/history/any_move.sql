{# Whether the log holds a row that came from another key, and may have values to take over from there: known once a run, so that all others pay nothing. #}
{% macro any_move(changes) %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {{ return(seen is none or seen.get('moves', true)) }}
{% endmacro %}
