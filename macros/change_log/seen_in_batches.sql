{#
  What a fold must know of a whole change log before it reads a part: counted in each batch as it comes, so that no later run searches the
  log for it, and remembered with the table (property `seen`) before the batch is in it.

  Columns of a query over a batch, grouped by outcome, as {name: SQL}:
    unknown        JSON array of the columns some change did not send
    superseded     changes that a commit read before them supersedes (see snapshot_rows_placed)
    unlinked       rows born with values not sent and no word of where they came from (see any_unlinked_key_change)
    operator       operator events
    closings       changes that are about all rows of the table (a truncate, a complete snapshot)
    moves          rows that came from another key (see key_moves_traced); with those of a run that was cut off, so no fewer than there are
    moved_updates  updates that tell another key than the row had (see moved_updates_parted)
    whole_before   updates and key changes that tell more of the row before them than its key (see key_collisions)
    whole_updates  updates that tell the row before them though their key stays: no key alone, nothing invented
#}
{% macro seen_in_batch() %}
  {{ return({
    'unknown': "to_json(array_sort(array_distinct(flatten(transform(collect_set(_cdc_unknown), x -> from_json(x, 'array<string>'))))))",
    'superseded': "count_if(_cdc_committed_after > _cdc_position)",
    'unlinked': "count_if(_cdc_op = 'c' and _cdc_unknown is not null and _cdc_previous_key is null)",
    'operator': "count_if(" ~ afterimage.is_of_operator() ~ ")",
    'closings': "count_if(" ~ afterimage.is_table_wide() ~ ")",
    'moves': "count_if(_cdc_op in ('c', 'u') and _cdc_previous_key is not null)",
    'moved_updates': "count_if(_cdc_op = 'u' and _cdc_previous_key is not null)",
    'whole_before': "count_if(_cdc_before_hash is not null and (_cdc_op = 'u' or (_cdc_previous_key is not null and _cdc_before_hash <> _cdc_image_hash)))",
    'whole_updates': "count_if(_cdc_before_hash is not null and _cdc_op = 'u' and _cdc_previous_key is null)",
  }) }}
{% endmacro %}


{# What was seen before the first batch, as seen_with_batch gives it. #}
{% macro seen_at_first() %}
  {{ return(tojson({'unknown': [], 'superseded': false, 'unlinked': false, 'closings': false, 'through': '', 'moves': 0,
                    'moved_updates': false, 'whole_before': false, 'whole_updates': false})) }}
{% endmacro %}


{#
  What is seen with a batch. In: change_log; accepted, what counts_of_batch found of the accepted rows. Out: JSON.
#}
{% macro seen_with_batch(change_log, accepted) %}
  {% set seen = afterimage.seen_in_log(change_log) %}
  {{ return(tojson({
    'unknown': (seen['unknown'] + fromjson(accepted['unknown'])) | unique(case_sensitive=true) | sort,
    'superseded': seen['superseded'] or accepted['superseded'] > 0,
    'unlinked': seen['unlinked'] or accepted['unlinked'] > 0,
    'closings': seen['closings'] or accepted['closings'] > 0,
    'through': [seen['through'], accepted['highest']] | max,
    'moves': seen['moves'] + accepted['moves'] | int,
    'moved_updates': seen['moved_updates'] or accepted['moved_updates'] > 0,
    'whole_before': seen['whole_before'] or accepted['whole_before'] > 0,
    'whole_updates': seen['whole_updates'] or accepted['whole_updates'] > 0,
  })) }}
{% endmacro %}


{#
  What was seen in all batches of a change log. Out: dict, as written above.
  Of a unit test nobody counted: it may hold anything, and unknown and moves are none. Updates that tell another key, and rows before changes that
  decide between rows that met, it may not hold: its one statement with all there can be in it would be too deep for Spark to resolve.
#}
{% macro seen_in_log(change_log) %}
  {% if not afterimage.is_model_run() or change_log is string %}
    {{ return(dict(fromjson(afterimage.seen_at_first()), unknown=none, superseded=true, unlinked=true, closings=true, moves=none)) }}
  {% endif %}
  {{ return(fromjson(afterimage.change_log_properties(change_log)['seen'])) }}
{% endmacro %}


{#
  Whether all accepted changes of a batch lie above what is staged. Asked only where nothing is staged yet, or the tables are known to be as the last
  run left them (see region_read).
  In: change_log; accepted, what counts_of_batch found of the accepted ones.
#}
{% macro is_above_staged(change_log, accepted) %}
  {{ return(accepted['lowest'] > afterimage.seen_in_log(change_log)['through']) }}
{% endmacro %}
