{#
  What a landing table holds of a contract's topics, told by the table's format without reading a record: another text as soon as anybody has
  written to it. Empty where nothing tells but the records themselves: Parquet, a view, files by their path.

  A change log asks before it reads, and remembers the answer with the region that is decided then (see region_read): as long as landing gives
  the same one, nothing waits. Whoever writes in between makes it another one.

  Not asked: a part of landing (dbt's --empty and --sample); a branch or tag of an Iceberg table, and one that is written and audited on a
  branch (write.wap.enabled), for its history is that of its main branch.

  In: landing relation; contract. Out: text, such as `delta 12 2026-11-25 08:00:00.123 of landing.events, ["shop.public.orders"]`.
#}
{% macro landing_version(landing, contract) %}
  {% set is_part = landing.limit is not none or landing.event_time_filter %}
  {% if is_part or modules.re.search('[/:]|(^|[.`])(branch|tag)_', landing | string) %}{{ return('') }}{% endif %}
  {% set properties = {} %}
  {% for row in run_query('show tblproperties ' ~ landing).rows %}{% do properties.update({row[0]: row[1]}) %}{% endfor %}
  {% set newest = [] %}
  {% if 'delta.minReaderVersion' in properties %}
    {# a table that was dropped and made anew counts its versions anew; their times differ #}
    {% set newest = run_query('describe history ' ~ landing ~ ' limit 1').rows %}
  {% elif properties.get('format', '').startswith('iceberg/') and properties.get('write.wap.enabled') != 'true' %}
    {# not the snapshot alone: one that was rolled back may come again #}
    {% set newest = run_query('select snapshot_id, made_current_at from ' ~ landing ~ '.history order by made_current_at desc limit 1').rows %}
  {% endif %}
  {% if not newest %}{{ return('') }}{% endif %}
  {{ return((properties.get('format') or 'delta') ~ ' ' ~ newest[0][0] ~ ' ' ~ newest[0][1] ~ ' of ' ~ landing ~ ', ' ~ tojson(contract['topics'])) }}
{% endmacro %}
