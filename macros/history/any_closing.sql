{# Whether the log holds a change that is about all rows of the table (a truncate, a complete snapshot): known once a run, so that all others pay nothing. #}
{% macro any_closing(changes) %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {{ return(seen is none or seen.get('closings', true)) }}
{% endmacro %}
