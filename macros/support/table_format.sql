{#
  The table formats, what each supports and how its tables are created: the only such map. Code for single formats is
  in check_format (sessions), file_statistics, maintain, landing_version and landed_since, and in run_state what dbt's
  list says of a table. All of them add columns, and a format without MERGE overwrites single partitions (see
  append_state).

    merge            MERGE, with a DELETE branch: rows are replaced in the table; otherwise they are appended, and a
                     view omits the rows they replace
    read_added       the rows that a landing table gained between two versions can be read separately (see
                     landed_since)
    lists_views      its catalog lists views among tables, as dbt asks (see existing_view)
    takes_options    table options set how files are written; otherwise table properties do
    small_integers   it has tinyint and smallint; otherwise its tables use int
    mapped_names     table properties for column names that its files could not hold as they are (` ,;{}()=` and line
                     ends in them); none needed: {}
    merged_in_place  properties of a table that each run MERGEs into: MERGE marks replaced rows next to their files
                     and does not rewrite these (decision 4). `afterimage.maintain` applies the marks to the files.
                       Delta    deletion vectors: https://docs.delta.io/latest/delta-deletion-vectors.html
                       Iceberg  merge-on-read: https://iceberg.apache.org/docs/latest/configuration/#write-properties
    dictionary       prefix of a column's name in the setting that disables its dictionary encoding; none: its tables
                     have no such setting
    working_table    {format, options, properties} of a table that exists within one run: plain Parquet where the
                     session's catalog can create it, because a Delta table costs a log of its own, written and read
                     back. Data read once or twice is not worth compression, a dictionary, or (Iceberg) column bounds.

  Out: {file format: dict}.
#}
{% macro table_formats() %}
  {% set plain = {'format': 'parquet', 'options': {'parquet.compression': 'uncompressed', 'parquet.enable.dictionary': 'false'}, 'properties': {}} %}
  {{ return({
    'parquet': {'merge': false, 'read_added': false, 'lists_views': true, 'takes_options': true, 'small_integers': true, 'mapped_names': {}, 'merged_in_place': {},
                'dictionary': 'parquet.enable.dictionary#', 'working_table': plain},
    'delta': {'merge': true, 'read_added': false, 'lists_views': true, 'takes_options': false, 'small_integers': true, 'mapped_names': {'delta.columnMapping.mode': 'name'},
              'merged_in_place': {'delta.enableDeletionVectors': 'true'}, 'dictionary': none, 'working_table': plain},
    'iceberg': {'merge': true, 'read_added': true, 'lists_views': false, 'takes_options': false, 'small_integers': false, 'mapped_names': {},
                'merged_in_place': {'write.merge.mode': 'merge-on-read'}, 'dictionary': 'write.parquet.dict-encoding-enabled.column.',
                'working_table': {'format': 'iceberg', 'options': {}, 'properties': {
                  'write.parquet.compression-codec': 'uncompressed', 'parquet.enable.dictionary': 'false', 'write.metadata.metrics.default': 'none'}}},
  }) }}
{% endmacro %}


{# One entry of table_formats. Raises for a format without an entry. In: file format. Out: dict. #}
{% macro table_format(file_format) %}
  {% set formats = afterimage.table_formats() %}
  {% if file_format not in formats %}
    {% do exceptions.raise_compiler_error('[afterimage] file_format ' ~ file_format ~ ' is not supported. Use one of: ' ~ formats | join(', ') ~ '.') %}
  {% endif %}
  {{ return(formats[file_format]) }}
{% endmacro %}


{# The configured format of a model's tables. In: node, none for the model that runs. #}
{% macro file_format_of(node=none) %}
  {{ return((node.config if node else config).get('file_format') or 'parquet') }}
{% endmacro %}


{#
  Table settings that disable dictionary encoding for columns whose values are almost unique (unique_columns).
  In: columns, a list of {name, sql, type}; file_format. Out: {name: text}.
#}
{% macro without_dictionary(columns, file_format) %}
  {% set setting = afterimage.table_format(file_format)['dictionary'] %}
  {% set disabled = {} %}
  {% for column in columns if setting and column['name'] in afterimage.unique_columns() %}
    {% do disabled.update({setting ~ column['name']: 'false'}) %}
  {% endfor %}
  {{ return(disabled) }}
{% endmacro %}
