{#
  SQL that reads only the rows an Iceberg landing table gained between two of its snapshots. A run that uses it costs
  what was added, not what landing holds, and reads exactly the rows of the later snapshot, whoever writes meanwhile.

  None where anything but appends and compaction happened in between (rows deleted or overwritten, a rollback), where
  one of the snapshots in between has expired, where there are more than a thousand; and for every other format.
  (Delta's change data feed does not give this: docs/decisions/0005-progress.md.)

  In: landing relation; since and upto, the earlier and the later version (see landing_version).
  Source: Iceberg documentation, "Spark Queries" (incremental read; operations of a snapshot).
#}
{% macro landed_since(landing, since, upto) %}
  {% set is_known = since and upto and afterimage.table_format(upto['format'])['read_added'] %}
  {% if not is_known or since['of'] != upto['of'] or since['topics'] != upto['topics'] %}{{ return(none) }}{% endif %}
  {% set known, key = afterimage.run_memory('landed'), tojson([landing | string, since['id'], since['at'], upto['id'], upto['at']]) %}
  {% if key not in known %}{% do known.update({key: afterimage._added_between(landing, since, upto)}) %}{% endif %}
  {{ return(known[key]) }}
{% endmacro %}


{% macro _added_between(landing, since, upto) %}
  {# from the later one backwards: the snapshot that must come next (a list, because a Jinja loop keeps no
     variable), none until there is one #}
  {% set wanted = [none] %}
  {% for id, at, before, operation in afterimage.ask('read what changed in landing since the last run',
    'select history.snapshot_id, history.made_current_at, snapshots.parent_id, snapshots.operation from ' ~ landing ~ '.history as history left join '
    ~ landing ~ '.snapshots as snapshots on history.snapshot_id = snapshots.snapshot_id order by history.made_current_at desc limit 1001').rows %}
    {% set place = [id | string, at | string] %}
    {% if place[0] == wanted[-1] and place == [since['id'], since['at']] %}
      {{ return(landing ~ " with ('start-snapshot-id' = '" ~ since['id'] ~ "', 'end-snapshot-id' = '" ~ upto['id'] ~ "')") }}
    {% endif %}
    {% set is_next = place[0] == wanted[-1] or place == [upto['id'], upto['at']] %}
    {% do wanted.append(before | string if is_next and operation in ['append', 'replace'] else none) %}
  {% endfor %}
  {{ return(none) }}
{% endmacro %}
