{#
  Makes a table that lives within one run, and fills it.

  In:  relation; columns, a list of {name, sql, type} in the order of the select; the select; the model's file format; the name of the
       statement that fills it; settings of the session for it (see with_settings).
  Made first and filled then, not by CREATE TABLE … AS: when a run is killed while it writes, the files of a table that is not there yet
  would be in the way of every later run ([LOCATION_ALREADY_EXISTS]); those of one that is there go when it is dropped.
  Plain Parquet where the session's catalog makes such, for a table of Delta costs a log of its own, written and read back. What is read once
  or twice is not worth compressing, or looking for repeated values.
#}
{% macro fill_scratch(relation, columns, select_sql, file_format, statement_name, settings={}) %}
  {% set format = 'parquet' if file_format == 'delta' else file_format %}
  {% set definitions = [] %}
  {% for column in columns %}{% do definitions.append(column['sql'] ~ ' ' ~ column['type']) %}{% endfor %}
  {% do afterimage.drop_if_there(relation) %}
  {% set create -%}
create table {{ relation }} (
    {{ definitions | join(',\n    ') }}
)
using {{ format }}
{%- if format == 'parquet' %}
options ('parquet.compression' = 'uncompressed', 'parquet.enable.dictionary' = 'false')
{%- endif %}
  {%- endset %}
  {% do run_query(create) %}
  {% do adapter.cache_added(relation.incorporate(type='table')) %}
  {% set insert -%}
insert into {{ relation }} (
    {{ afterimage.column_names(columns) }}
)
{{ select_sql }}
  {%- endset %}
  {% do afterimage.with_settings(statement_name, insert, settings) %}
{% endmacro %}
