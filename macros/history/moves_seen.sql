{#
  How many rows of a log came from another key, and may have values to take over from there: at most so many, for one that a run was cut off at is
  counted again. None where nobody knows (unit tests). Known once a run, so that logs without any pay nothing.
  In: changes (relation or CTE); link_halves, whether rows are linked by their place, without a word of where they came from (see key_change_pairs_linked).
#}
{% macro moves_seen(changes, link_halves) %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {% if seen is none %}{{ return(none) }}{% endif %}
  {% if link_halves %}
    {% set is_born = "_cdc_op in ('c', 'u') and _cdc_previous_key is not null or _cdc_op = 'c' and _cdc_unknown is not null" %}
    {{ return(afterimage.ask('how many rows came from another key', 'select count_if(' ~ is_born ~ ') from ' ~ changes).rows[0][0] | int) }}
  {% endif %}
  {{ return(seen['moves']) }}
{% endmacro %}
