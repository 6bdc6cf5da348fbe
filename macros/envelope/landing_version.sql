{#
  The version of a landing table, told by its format without reading a record: another one as soon as anybody has written. Empty where the
  format keeps none (Parquet, a view): only the records themselves tell then.

  It is asked before the records are read, so they are those of this version or more. A change log remembers it with the region that is
  decided (see region_read): as long as landing has that version, nothing waits.

  In: landing relation. Out: text, such as `delta 12 2026-11-25 08:00:00.123` or `iceberg 4370394263957417894`.
#}
{% macro landing_version(landing) %}
  {% set properties = {} %}
  {% for row in run_query('show tblproperties ' ~ landing).rows %}{% do properties.update({row[0]: row[1]}) %}{% endfor %}
  {% if properties.get('current-snapshot-id', 'none') != 'none' %}
    {{ return('iceberg ' ~ properties['current-snapshot-id']) }}
  {% elif 'delta.minReaderVersion' in properties %}
    {# a table that was dropped and made anew counts its versions anew; their times differ #}
    {% set newest = run_query('describe history ' ~ landing ~ ' limit 1').rows[0] %}
    {{ return('delta ' ~ newest['version'] ~ ' ' ~ newest['timestamp']) }}
  {% endif %}
  {{ return('') }}
{% endmacro %}
