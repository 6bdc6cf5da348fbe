{#
  How far a history has read its change log, and what is pending.

  In:  changes, the change log; applied, the last batch that is applied; available, the last one there is, a later one.
  Out: {applied, available, pending (rows), oldest_truncate (order text of the first pending truncate or other change of all rows, or none)}
#}
{% macro progress(changes, applied, available) %}
  {% set progress = {'applied': applied, 'available': available, 'pending': 0, 'oldest_truncate': none} %}
  {% set written = afterimage.run_memory('batches').get(afterimage.relation_name(changes)) %}
  {% if written and written['number'] == available == applied + 1 and not written['table_wide'] %}
    {# this run wrote and counted all pending changes #}
    {% do progress.update({'pending': written['changes']}) %}
  {% else %}
    {% set found = afterimage.ask('count pending changes, find the oldest table-wide one',
      "with " ~ afterimage.known_changes(changes, progress) ~ " asked as (select 1) select count(*), min(if(" ~ afterimage.is_table_wide()
      ~ ", _cdc_order, null)) from changes where _cdc_batch > " ~ applied).rows[0] %}
    {% do progress.update({'pending': found[0], 'oldest_truncate': found[1]}) %}
  {% endif %}
  {{ return(progress) }}
{% endmacro %}


{#
  The log a history continues: none when there is none yet, when its first append was cut off, or when it was made from a change log that is
  no longer the same (rebuilt, with a new column, or read in another way). The history is then rebuilt from the change log alone.
#}
{% macro history_log_so_far(this, changes, contract) %}
  {% set log = afterimage.log_of(this) %}
  {% if not afterimage.is_model_run() or should_full_refresh() or not afterimage.is_there(log) %}{{ return(none) }}{% endif %}
  {% set known = afterimage.table_properties(log) %}
  {% if known.get('begun') and not known.get('append') %}{{ return(none) }}{% endif %}
  {{ return(log if afterimage.is_made_of(log, afterimage.made_of_changes(changes, contract)) else none) }}
{% endmacro %}


{#
  The text a history stores about its inputs: the generation of the change log, and what else a fold depends on: what a truncate empties and
  which columns make no version, by the contract, and whether key-change pairs are linked by position (from the first one that needs it on, for all).
#}
{% macro made_of_changes(changes, contract) %}
  {{ return(afterimage.generation_of(changes)
            ~ (', truncates by partition' if contract['truncate_empties'] == 'partition' else '')
            ~ (', untracked ' ~ contract['untracked'] | sort | join(', ') if contract['untracked'] else '')
            ~ (', key changes linked' if contract['key'] and afterimage.any_unlinked_key_change(changes, contract) else '')) }}
{% endmacro %}
