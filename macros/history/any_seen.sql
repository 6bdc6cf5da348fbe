{#
  Whether the log holds changes of a kind that was counted as it came (see seen_in_batch), so that all others pay nothing.
  In: changes; kind: closings, about all rows of the table (a truncate, a complete snapshot); moved_updates, updates that tell another key than the
  row had; whole_before, changes that tell the whole row before them. Of a unit test, which is of one statement with all there can be in it, the
  last two are false: its plan would be too deep for Spark to resolve.
#}
{% macro any_seen(changes, kind) %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {{ return((kind == 'closings' or afterimage.is_model_run()) if seen is none else seen[kind]) }}
{% endmacro %}
