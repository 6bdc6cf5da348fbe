{#
  Properties of a table that say of which columns its files' own words (lowest and highest value, how many are NULL) are kept, so that a
  statement passes over files it does not need.

  Left alone, Delta keeps them of the first 32 columns and Iceberg of the first 100: ours stand behind the contract's, and those a run is
  bounded by come last. Delta is given one list: ours that statements ask for, and of the others the first it keeps bounds of.

  In:  columns, a list of {name, sql, type}; file_format. Out: {name: text}, without what the model is configured with itself (`tblproperties`);
       {} for Parquet, whose files tell of all columns.
    Delta    https://docs.delta.io/latest/optimizations-oss.html#data-skipping (a list of columns makes a number of them ineffective, so it is
             left out where the model is configured with a number)
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
    {# a position has 20 digits and more, of which 16 are kept by default #}
    {% for column in ours %}{% do found.update({'write.metadata.metrics.column.' ~ column['name']: 'truncate(64)'}) %}{% endfor %}
  {% endif %}
  {% for name in configured %}{% do found.pop(name, none) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}


{# Whether Delta keeps a lowest and highest value of a type: it refuses to be asked for others. In: a Spark type as text. #}
{% macro _has_range(type) %}
  {{ return(modules.re.match('(?i)^(tinyint|smallint|int|bigint|float|double|decimal.*|string|date|timestamp|timestamp_ntz)$', type) is not none) }}
{% endmacro %}
