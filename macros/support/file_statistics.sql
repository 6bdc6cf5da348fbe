{#
  Table properties that set for which columns the files keep statistics (lowest and highest value, how many are NULL),
  so that a statement skips files it does not need.

  By default Delta keeps them for the first 32 columns and Iceberg for the first 100: ours come after the contract's,
  and those that bound a run come last. Delta gets one list: our columns that statements filter by, then the first
  others it keeps bounds for.

  In:  columns, a list of {name, sql, type}; file_format. Out: {name: text}, without what the model configures itself
       (`tblproperties`); {} for Parquet, whose files have statistics for all columns.
    Delta    https://docs.delta.io/latest/optimizations-oss.html#data-skipping (a list of columns overrides a number
             of them, so it is omitted where the model configures a number)
    Iceberg  https://iceberg.apache.org/docs/latest/configuration/#write-properties
#}
{% macro file_statistics(columns, file_format) %}
  {% set found, configured = {}, config.get('tblproperties') or {} %}
  {% set ours = columns | selectattr('name', 'in', afterimage.pruned_columns()) | list %}
  {% if file_format == 'delta' and 'delta.dataSkippingNumIndexedCols' not in configured %}
    {% set theirs = [] %}
    {% for column in columns if not column['name'].startswith('_cdc_') and column not in ours and afterimage._has_range(column['type']) %}
      {% do theirs.append(column) %}
    {% endfor %}
    {% do found.update({'delta.dataSkippingStatsColumns': (ours + theirs)[:32] | map(attribute='sql') | join(', ')}) %}
  {% elif file_format == 'iceberg' %}
    {# a position has at least 20 digits, of which 16 are kept by default #}
    {% for column in ours %}{% do found.update({'write.metadata.metrics.column.' ~ column['name']: 'truncate(64)'}) %}{% endfor %}
  {% endif %}
  {% for name in configured %}{% do found.pop(name, none) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}


{#
  Whether Delta keeps a lowest and highest value of a type: it rejects a list with other types. In: a Spark type as
  text.
#}
{% macro _has_range(type) %}
  {{ return(modules.re.match('(?i)^(tinyint|smallint|int|bigint|float|double|decimal.*|string|date|timestamp|timestamp_ntz)$', type) is not none) }}
{% endmacro %}
