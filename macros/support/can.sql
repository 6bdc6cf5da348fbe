{#
  The capability map: what a table format can do, and from which version of Spark on.

    merge                 MERGE, with a DELETE branch: rows are replaced in the table; else they are appended, and a view leaves out what they replace
    delete                DELETE FROM … WHERE (MERGE does it here)
    overwrite_rows        INSERT INTO … REPLACE WHERE, of rows and not of whole files only (MERGE does it here)
    overwrite_partitions  only the partitions that get rows are replaced by an INSERT OVERWRITE
    atomic_append         a reader sees all rows of an insert or none, also when its writer was killed
    add_column            ALTER TABLE … ADD COLUMNS
    rename_column         ALTER TABLE … RENAME COLUMN (nothing here needs it; contracts know columns by their names)
    widen_type            a column's type made wider in place (not used: the identity of a change is made of its decoded values)
    cluster               rows laid out by columns, without folders of their own (a model's own configuration; nothing here needs it)
    read_added            the rows a landing table gained between two versions read by themselves (see landed_since)
    any_column_name       names with blanks and the like (` ,;{}()=` and line ends) as they are; Delta maps them, which its tables are asked for

  In: file format, capability. Out: true or false; a format or capability that is not in the map is refused.
  Who cannot do without asks require_capability.
#}
{% macro can(file_format, capability) %}
  {% set since = afterimage._capability_since(file_format, capability) %}
  {{ return(since is not none and afterimage.spark_version() >= since) }}
{% endmacro %}


{# The first version of Spark with it, none for not at all. #}
{% macro _capability_since(file_format, capability) %}
  {% set formats = afterimage.formats() %}
  {% if file_format not in formats %}
    {% do exceptions.raise_compiler_error('[afterimage] file_format ' ~ file_format ~ ' is not supported. Use one of: ' ~ formats | join(', ') ~ '.') %}
  {% endif %}
  {% if capability not in formats[file_format] %}
    {% do exceptions.raise_compiler_error('[afterimage] can: no capability ' ~ capability ~ '; known are ' ~ formats[file_format] | join(', ') ~ '.') %}
  {% endif %}
  {{ return(formats[file_format][capability]) }}
{% endmacro %}


{# The map itself: format -> capability -> first version of Spark as [major, minor], none for not at all. #}
{% macro formats() %}
  {{ return({
    'parquet': {'merge': none, 'delete': none, 'overwrite_rows': none, 'overwrite_partitions': [2, 3], 'atomic_append': none, 'add_column': [2, 2],
                'rename_column': none, 'widen_type': none, 'cluster': none, 'read_added': none, 'any_column_name': [3, 3]},
    'delta': {'merge': [3, 0], 'delete': [3, 0], 'overwrite_rows': [3, 4], 'overwrite_partitions': [3, 4], 'atomic_append': [3, 0], 'add_column': [3, 0],
              'rename_column': [3, 2], 'widen_type': [4, 0], 'cluster': [3, 5], 'read_added': none, 'any_column_name': none},
    'iceberg': {'merge': [3, 0], 'delete': [3, 0], 'overwrite_rows': none, 'overwrite_partitions': [3, 0], 'atomic_append': [3, 0], 'add_column': [3, 0],
                'rename_column': [3, 0], 'widen_type': [3, 0], 'cluster': [3, 0], 'read_added': [4, 0], 'any_column_name': [3, 0]},
  }) }}
{% endmacro %}
