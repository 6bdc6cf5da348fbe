{#
  Statistics that a fold needs about the complete change log before it reads a part, as {name: SQL}. They are counted in each new batch, so that
  no later run searches the log for them, and stored with the table (property `seen`) before the batch is in it.

  Columns of a query over a batch, grouped by outcome:
    unknown        JSON array of the columns some change did not send
    superseded     changes that a commit read before them supersedes (see snapshot_rows_placed)
    unlinked       rows created with values not sent and no reference to their source (see any_unlinked_key_change)
    operator       operator events
    closings       changes that concern all rows of the table (a truncate, a complete snapshot)
    moves          rows that came from another key (see key_moves_traced); includes those of a run that was cut off, so never too few
    moved_updates  updates that give the row another key (see moved_updates_parted)
    whole_before   updates and key changes whose row before has more than its key (see key_collisions)
    whole_updates  updates whose row before is sent although the key stays: not the key alone, and nothing invented
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


{# The statistics before the first batch, as seen_with_batch gives them. #}
{% macro seen_at_first() %}
  {{ return(tojson({'unknown': [], 'superseded': false, 'unlinked': false, 'closings': false, 'through': '', 'moves': 0,
                    'moved_updates': false, 'whole_before': false, 'whole_updates': false})) }}
{% endmacro %}


{#
  The statistics including a batch, as JSON. In: change_log; accepted, what counts_of_batch found of the accepted rows.
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
  The statistics of all batches of a change log, as a dict (see seen_in_batch).
  A unit test is not counted: it may hold anything, and unknown and moves are none. It may not hold updates that give a row another key, nor
  rows before changes that decide key collisions: its one statement, with every rule in it, would be too deep for Spark to resolve.
#}
{% macro seen_in_log(change_log) %}
  {% if not afterimage.is_model_run() or change_log is string %}
    {{ return(dict(fromjson(afterimage.seen_at_first()), unknown=none, superseded=true, unlinked=true, closings=true, moves=none)) }}
  {% endif %}
  {{ return(fromjson(afterimage.change_log_properties(change_log)['seen'])) }}
{% endmacro %}


{#
  Whether all accepted changes of a batch are above what is staged. Called only where nothing is staged yet, or the tables are known to be as the
  last run left them (see region_read).
  In: change_log; accepted, what counts_of_batch found of the accepted ones.
#}
{% macro is_above_staged(change_log, accepted) %}
  {{ return(accepted['lowest'] > afterimage.seen_in_log(change_log)['through']) }}
{% endmacro %}
