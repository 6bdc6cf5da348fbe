{#
  The table formats, what each can do and how its tables are made: the one map of them. What is written by hand for each lies in check_format
  (sessions), file_statistics, maintain, landing_version and landed_since, and in run_state what a list tells of it. All of them add columns, and a format without MERGE overwrites single partitions (see append_state).

    merge            MERGE, with a DELETE branch: rows are replaced in the table; else they are appended, and a view leaves out what they replace
    read_added       the rows a landing table gained between two versions read by themselves (see landed_since)
    lists_views      its catalog tells of views among tables, as dbt asks (see existing_view)
    takes_options    a table is told by options how its files are written, and by properties where not
    small_integers   it has tinyint and smallint; else they are int in its tables
    mapped_names     properties of a table whose columns' names (` ,;{}()=` and line ends in them) its files could not have as they are; none needed: {}
    merged_in_place  properties of a table that is MERGEd into run by run: what a MERGE replaces is noted beside the files it lies in, which are not
                     written anew (decision 4). `afterimage.maintain` folds the notes into the files.
                       Delta    deletion vectors: https://docs.delta.io/latest/delta-deletion-vectors.html
                       Iceberg  merge-on-read: https://iceberg.apache.org/docs/latest/configuration/#write-properties
    dictionary       what stands before a column's name in the word that switches its dictionary off; none: its tables cannot be told
    working_table    {format, options, properties} of a table that lives within one run: plain Parquet where the session's catalog makes such, for a
                     table of Delta costs a log of its own, written and read back. What is read once or twice is not worth compressing, looking for
                     repeated values, or (Iceberg) keeping the lowest and highest of each column.

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


{# One of them. In: file format. Out: dict; a format that is not in the map is refused. #}
{% macro table_format(file_format) %}
  {% set formats = afterimage.table_formats() %}
  {% if file_format not in formats %}
    {% do exceptions.raise_compiler_error('[afterimage] file_format ' ~ file_format ~ ' is not supported. Use one of: ' ~ formats | join(', ') ~ '.') %}
  {% endif %}
  {{ return(formats[file_format]) }}
{% endmacro %}


{# The format of a model's tables, as it is configured. In: node, none for the model that runs. #}
{% macro file_format_of(node=none) %}
  {{ return((node.config if node else config).get('file_format') or 'parquet') }}
{% endmacro %}


{#
  What tells a table's writers to try no dictionary for columns whose values hardly ever come twice (unique_columns).
  In: columns, a list of {name, sql, type}; file_format. Out: {name: text}.
#}
{% macro without_dictionary(columns, file_format) %}
  {% set setting = afterimage.table_format(file_format)['dictionary'] %}
  {% set told = {} %}
  {% for column in columns if setting and column['name'] in afterimage.unique_columns() %}
    {% do told.update({setting ~ column['name']: 'false'}) %}
  {% endfor %}
  {{ return(told) }}
{% endmacro %}
