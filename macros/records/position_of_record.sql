{#
  The position of a record in the source's log (SQL), in a step that has `op` and `source` of the envelope. A row that the first snapshot read and
  that has no position (Db2 writes none where it has read no log yet; a row without an envelope has those that were added) comes before all
  changes. Rows that a snapshot reads while changes arrive would be hidden behind changes that it has already seen, so they must have their own.
  In: contract, connector. Out: SQL text, NULL where there is none.
#}
{% macro position_of_record(contract, connector) %}
  {% if connector.get('tie_break') or not afterimage.reports_position(contract, connector) %}{{ return(connector['position']) }}{% endif %}
  {% set was_read = "op = 'r' and coalesce(source.snapshot, '') not in ('incremental', 'blocking')" %}
  {% if afterimage.record_format(contract['format'])['source_is_optional'] %}
    {% set was_read = "(" ~ was_read ~ ") or (op = 'x' and source.snapshot in (" ~ afterimage.initial_snapshot_words() ~ "))" %}
  {% endif %}
  {{ return("coalesce(" ~ connector['position'] ~ ", if(" ~ was_read ~ ", '" ~ afterimage.least_place(connector['position_form']) ~ "', null))") }}
{% endmacro %}
