{#
  What tells a table's writers to try no dictionary for columns whose values hardly ever come twice (unique_columns): options on Parquet,
  properties on Iceberg (https://iceberg.apache.org/docs/latest/configuration/#write-properties). Delta's tables cannot be told.
  In: columns, a list of {name, sql, type}; file_format. Out: {name: text}.
#}
{% macro without_dictionary(columns, file_format) %}
  {% set setting = {'parquet': 'parquet.enable.dictionary#', 'iceberg': 'write.parquet.dict-encoding-enabled.column.'}.get(file_format) %}
  {% set told = {} %}
  {% for column in columns if setting and column['name'] in afterimage.unique_columns() %}
    {% do told.update({setting ~ column['name']: 'false'}) %}
  {% endfor %}
  {{ return(told) }}
{% endmacro %}
