{# Whether the log holds a change that tells the whole row before it: known once a run, so that all others pay nothing. #}
{% macro any_whole_before(changes) %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {{ return(seen is none or seen.get('whole_before', false)) }}
{% endmacro %}
