{#
  What a landing table holds of a contract's topics, told by the table's format without reading a record: another answer as soon as anybody has
  written to it. Empty where nothing tells but the records themselves: Parquet, a view, files by their path.

  A change log asks before it reads, and remembers the answer with the region that is decided then (see region_read): as long as landing gives
  the same one, nothing waits. Whoever writes in between makes it another one. What was only added since is read by itself (see landed_since).

  Not asked: a part of landing (dbt's --empty and --sample); a branch or tag of an Iceberg table, and one that is written and audited on a
  branch (write.wap.enabled), for its history is that of its main branch.

  In:  landing relation; contract.
  Out: {format: delta or iceberg; id: a version or snapshot; at: when it was made so; of: the relation; topics; tells_added: whether rows that are
       added can be read by themselves}, or an empty dict.
#}
{% macro landing_version(landing, contract) %}
  {% set is_part = landing.limit is not none or landing.event_time_filter %}
  {% if is_part or modules.re.search('[/:]|(^|[.`])(branch|tag)_', landing | string) %}{{ return({}) }}{% endif %}
  {% set properties = {} %}
  {% for row in run_query('show tblproperties ' ~ landing).rows %}{% do properties.update({row[0]: row[1]}) %}{% endfor %}
  {% set told, newest = {'of': landing | string, 'topics': contract['topics']}, [] %}
  {% if 'delta.minReaderVersion' in properties %}
    {# a table that was dropped and made anew counts its versions anew; their times differ #}
    {% set newest = run_query('describe history ' ~ landing ~ ' limit 1').rows %}
    {# the change data feed reads no column whose type was widened in between #}
    {% set has_feed = properties.get('delta.enableChangeDataFeed') == 'true' and properties.get('delta.enableTypeWidening') != 'true' %}
    {% do told.update({'format': 'delta', 'tells_added': has_feed and afterimage.can('delta', 'read_added')}) %}
  {% elif properties.get('format', '').startswith('iceberg/') and properties.get('write.wap.enabled') != 'true' %}
    {# not the snapshot alone: one that was rolled back may come again #}
    {% set newest = run_query('select snapshot_id, made_current_at from ' ~ landing ~ '.history order by made_current_at desc limit 1').rows %}
    {% do told.update({'format': 'iceberg', 'tells_added': afterimage.can('iceberg', 'read_added')}) %}
  {% endif %}
  {% if not newest %}{{ return({}) }}{% endif %}
  {{ return(dict(told, id=newest[0][0] | string, at=newest[0][1] | string)) }}
{% endmacro %}
