{#
  The rows a landing table gained between two versions of it, as SQL to read them from by themselves. A run that reads them costs what was
  added and not what landing holds, and reads neither more nor less than what the later version says, whoever writes meanwhile.
  None where that cannot be told: more happened in between than that rows were added or their files compacted (rows deleted or overwritten, a
  rollback, a column changed); the format does not tell (Delta without delta.enableChangeDataFeed); a step in between is no longer known (expired);
  or there were more than a thousand.

  In: landing relation; read and version, the earlier and the later one (see landing_version).
  Sources: Iceberg, "Spark queries" (incremental read; operations of a snapshot); Delta, "Use Delta Lake change data feed".
#}
{% macro landed_since(landing, read, version) %}
  {% if not read or not (read['tells_added'] and version['tells_added']) or read['of'] != version['of'] or read['topics'] != version['topics'] %}
    {{ return(none) }}
  {% endif %}
  {# what happened, from the newest back: [version, when, the version before it, whether rows were added and no more] #}
  {% set steps = [] %}
  {% if version['format'] == 'iceberg' %}
    {% for row in run_query(
      'select history.snapshot_id, history.made_current_at, snapshots.parent_id, snapshots.operation from ' ~ landing ~ '.history as history left join '
      ~ landing ~ '.snapshots as snapshots on history.snapshot_id = snapshots.snapshot_id order by history.made_current_at desc limit 1001').rows %}
      {% do steps.append([row[0] | string, row[1] | string, row[2] | string, row[3] in ['append', 'replace']]) %}
    {% endfor %}
  {% else %}
    {% set between = version['id'] | int - read['id'] | int %}
    {% if between < 1 or between > 1000 %}{{ return(none) }}{% endif %}
    {% for row in run_query('describe history ' ~ landing ~ ' limit ' ~ (between + 1)).rows %}
      {% set is_append = row['operation'] in ['WRITE', 'STREAMING UPDATE'] and modules.re.search('[mM]ode\\W+Append\\b', row['operationParameters'] | string) %}
      {% do steps.append([row['version'] | string, row['timestamp'] | string, row['version'] | int - 1, row['operation'] == 'OPTIMIZE' or is_append]) %}
    {% endfor %}
  {% endif %}
  {% set wanted = [none] %}
  {% for id, at, before, is_added in steps %}
    {% if id == wanted[-1] and [id, at] == [read['id'], read['at']] %}
      {{ return(afterimage._added_between(landing, read, version)) }}
    {% endif %}
    {% set is_next = id == wanted[-1] or [id, at] == [version['id'], version['at']] %}
    {% do wanted.append(before | string if is_next and is_added else none) %}
  {% endfor %}
  {{ return(none) }}
{% endmacro %}


{# SQL of the rows added after one version and up to another. #}
{% macro _added_between(landing, read, version) %}
  {% if version['format'] == 'iceberg' %}
    {{ return(landing ~ " with ('start-snapshot-id' = '" ~ read['id'] ~ "', 'end-snapshot-id' = '" ~ version['id'] ~ "')") }}
  {% endif %}
  {{ return('table_changes(' ~ afterimage.literal(landing | string) ~ ', ' ~ (read['id'] | int + 1) ~ ', ' ~ version['id'] ~ ')') }}
{% endmacro %}
