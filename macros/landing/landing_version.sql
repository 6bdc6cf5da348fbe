{#
  What a landing table holds of a contract's topics, told by the table's format without reading a record: another answer as soon as anybody has
  written to it. Empty where nothing tells but the records themselves: Parquet, a view, files by their path.

  Asked once a run, by the first change log that looks, and by each that has a pre-hook, which may land records: what lands later is the next
  run's. It is asked before landing is read, and remembers the answer with the region that is processed then (see region_read): as long as landing gives
  the same one, nothing waits. Whoever writes in between makes it another one. What was only added since is read by itself (see landed_since).

  Not asked: a part of landing (dbt's --empty and --sample); a branch or tag of an Iceberg table, and one that is written and audited on a
  branch (write.wap.enabled), for its history is that of its main branch.

  In:  landing relation; contract.
  Out: {format: delta or iceberg; id: its version or snapshot, a text; at: when it became so; of: the relation; topics}, or an empty dict.
#}
{% macro landing_version(landing, contract) %}
  {% set is_part = landing.limit is not none or landing.event_time_filter %}
  {% if is_part or modules.re.search('[/:]|(^|[.`])(branch|tag)_', landing | string) %}{{ return({}) }}{% endif %}
  {% set known = afterimage.run_memory('landing') %}
  {% if landing | string not in known or model.config.get('pre-hook') %}{% do known.update({landing | string: afterimage._ask_landing_version(landing)}) %}{% endif %}
  {% set version = known[landing | string] %}
  {{ return(dict(version, topics=contract['topics']) if version else {}) }}
{% endmacro %}


{% macro _ask_landing_version(landing) %}
  {% set properties = {} %}
  {% for row in afterimage.ask('which format landing has', 'show tblproperties ' ~ landing).rows %}{% do properties.update({row[0]: row[1]}) %}{% endfor %}
  {% set format, newest = none, [] %}
  {% if 'delta.minReaderVersion' in properties %}
    {# a table that was dropped and made anew counts its versions anew; their times differ #}
    {% set format, newest = 'delta', afterimage.ask('the version of landing', 'describe history ' ~ landing ~ ' limit 1').rows %}
  {% elif properties.get('format', '').startswith('iceberg/') and properties.get('write.wap.enabled') != 'true' %}
    {# the snapshot readers get, which need not be the newest by the clocks of those who write; and when, for one that was rolled back may come again #}
    {% set format, newest = 'iceberg', afterimage.ask('the snapshot of landing',
      'select main.snapshot_id, history.made_current_at from ' ~ landing ~ '.refs as main inner join ' ~ landing
      ~ ".history as history on main.snapshot_id = history.snapshot_id where main.name = 'main' order by history.made_current_at desc limit 1").rows %}
  {% endif %}
  {% if not newest %}{{ return({}) }}{% endif %}
  {{ return({'format': format, 'id': newest[0][0] | string, 'at': newest[0][1] | string, 'of': landing | string}) }}
{% endmacro %}
