{#
  The version of what a landing table holds for a contract's topics, from the table's format and without reading a
  record: it changes as soon as anyone writes to the table. Empty where only the records themselves can show this:
  Parquet, a view, files by their path.

  Queried once a run, by the first change log that looks, and by each with a pre-hook, which may land records: what
  lands later is left to the next run. It is queried before landing is read, and stored with the region that is then
  processed (see region_read): while it stays the same, nothing is pending. A write in between changes it. Rows that
  were only added since are read separately (see landed_since).

  Not queried: a part of landing (dbt's --empty and --sample); a branch or tag of an Iceberg table, and a table that
  is written and audited on a branch (write.wap.enabled), because its history is that of its main branch.

  In:  landing relation; contract.
  Out: {format: delta or iceberg; id: its version or snapshot, a text; at: when that became current; of: the relation;
  topics}, or an empty dict.
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
  {% for row in afterimage.ask('read the format of landing', 'show tblproperties ' ~ landing).rows %}{% do properties.update({row[0]: row[1]}) %}{% endfor %}
  {% set format, newest = none, [] %}
  {% if 'delta.minReaderVersion' in properties %}
    {# a table that was dropped and recreated restarts its version numbers; the times differ #}
    {% set format, newest = 'delta', afterimage.ask('read the version of landing', 'describe history ' ~ landing ~ ' limit 1').rows %}
  {% elif properties.get('format', '').startswith('iceberg/') and properties.get('write.wap.enabled') != 'true' %}
    {# the snapshot that readers get, which need not be the newest by the writers' clocks; and its time, because a
       rollback can make an earlier one current again #}
    {% set format, newest = 'iceberg', afterimage.ask('read the snapshot of landing',
      'select main.snapshot_id, history.made_current_at from ' ~ landing ~ '.refs as main inner join ' ~ landing
      ~ ".history as history on main.snapshot_id = history.snapshot_id where main.name = 'main' order by history.made_current_at desc limit 1").rows %}
  {% endif %}
  {% if not newest %}{{ return({}) }}{% endif %}
  {{ return({'format': format, 'id': newest[0][0] | string, 'at': newest[0][1] | string, 'of': landing | string}) }}
{% endmacro %}
