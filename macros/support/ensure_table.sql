{#
  Creates a table from a list of {name, type} if it does not exist; adds missing columns; refuses a column whose type
  changed (Spark cannot change it in place, and further writes would fail or damage values). Comments come from the
  model's YAML.
  In: relation; columns; file_format; partition_by (list of column names, may be empty); properties it is created with
  (see table_properties); format_properties, those of the table format. The model's own `tblproperties` config (as for
  any model of dbt-spark) is set too, and overrides format_properties. Out: true when it was created.
#}
{% macro ensure_table(relation, columns, file_format, partition_by=[], properties={}, format_properties={}) %}
  {% set existing = afterimage.listed_relation(relation) %}
  {% set format = afterimage.table_format(file_format) %}
  {% set shape = local_md5(tojson([columns | map(attribute='name') | list, columns | map(attribute='type') | list])) %}
  {% if existing is none %}
    {% set definition, configured = afterimage._definition_of_table(columns, file_format, partition_by, format_properties) %}
    {% set stated = [] %}
    {% for name, value in dict(properties, version=afterimage.state_version(), shape=shape, made_as=local_md5(definition ~ configured)).items() %}{% do stated.append(afterimage.property_assignment(name, value)) %}{% endfor %}
    {% set create -%}
create table {{ relation }} {{ definition }}
tblproperties ({{ (stated + configured) | join(', ') }})
    {%- endset %}
    {% do afterimage.ask('create a table of the model', create) %}
    {# dbt listed the schema's tables before this one was created #}
    {% do afterimage.list_relation(relation) %}
    {% do afterimage.forget_properties(relation) %}
    {{ return(true) }}
  {% elif afterimage.table_properties(relation).get('shape') == shape %}
    {{ return(false) }}
  {% else %}
    {% set present = {} %}
    {% for column in adapter.get_columns_in_relation(existing) %}{% do present.update({column.name: column.dtype}) %}{% endfor %}
    {% set changed = [] %}
    {% for column in columns if column['name'] in present %}
      {% if afterimage._plain_type(present[column['name']], format) != afterimage._plain_type(column['type'], format) %}
        {% do changed.append(column['name'] ~ ' is ' ~ present[column['name']] ~ ', the contract now makes it ' ~ column['type']) %}
      {% endif %}
    {% endfor %}
    {% if changed %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] ' ~ model.name ~ ': the type of a column of ' ~ relation ~ ' changed: ' ~ changed | join('; ')
        ~ '. Nothing was written. Rebuild it with --full-refresh while landing still holds the start, or give the column its old type.') %}
    {% endif %}
    {% set added = columns | rejectattr('name', 'in', present) | list %}
    {% if added %}
      {% set missing = [] %}
      {% for column in added %}{% do missing.append(afterimage.identifier(column['name']) ~ ' ' ~ column['type']) %}{% endfor %}
      {% do afterimage.say('adding to ' ~ relation ~ ': ' ~ missing | join(', ')) %}
      {% set mapped = afterimage.configured_properties(afterimage._names_mapped(added, format)) %}
      {% if mapped %}{% do afterimage.ask('add the new columns of the contract', 'alter table ' ~ relation ~ ' set tblproperties (' ~ mapped | join(', ') ~ ')') %}{% endif %}
      {% do afterimage.ask('add the new columns of the contract', 'alter table ' ~ relation ~ ' add columns (' ~ missing | join(', ') ~ ')') %}
      {% set kept = afterimage.configured_properties(afterimage.file_statistics(columns, file_format)) %}
      {% if kept %}{% do afterimage.ask('add the new columns of the contract', 'alter table ' ~ relation ~ ' set tblproperties (' ~ kept | join(', ') ~ ')') %}{% endif %}
    {% endif %}
    {% do afterimage.set_table_properties(relation, {'shape': shape}) %}
    {{ return(false) }}
  {% endif %}
{% endmacro %}


{# Whether a table exists, undamaged, exactly as ensure_table would create it now. In: as there. #}
{% macro is_made_as(relation, columns, file_format, partition_by, format_properties) %}
  {% if not afterimage.is_there(relation) %}{{ return(false) }}{% endif %}
  {% set definition, configured = afterimage._definition_of_table(columns, file_format, partition_by, format_properties) %}
  {% set known = afterimage.properties_unchecked(relation) %}
  {{ return(known.get('made_as') == local_md5(definition ~ configured) and afterimage._fault_of_properties(known) is none) }}
{% endmacro %}


{# A table's definition: the SQL after its name, and the properties (SQL, a list) of its format and of the model. #}
{% macro _definition_of_table(columns, file_format, partition_by, format_properties) %}
  {% set format = afterimage.table_format(file_format) %}
  {% set definitions = [] %}
  {% for column in columns %}
    {% do definitions.append(afterimage.identifier(column['name']) ~ ' ' ~ column['type'] ~ afterimage.column_comment(column['name'])) %}
  {% endfor %}
  {% set without_dictionary = afterimage.without_dictionary(columns, file_format) %}
  {# an overwrite replaces only the partitions that get rows: set as an option of the table, because all threads of
     a session share its setting #}
  {% set options = dict(without_dictionary, **({'partitionOverwriteMode': 'dynamic'} if partition_by else {})) %}
  {% set of_format = dict(afterimage._names_mapped(columns, format)) %}
  {% do of_format.update(afterimage.file_statistics(columns, file_format)) %}
  {% if not format['takes_options'] %}{% do of_format.update(without_dictionary) %}{% endif %}
  {% set definition -%}
(
    {{ definitions | join(',\n    ') }}
)
using {{ file_format }}
    {%- if options and format['takes_options'] %}
options ({{ afterimage.configured_properties(options) | join(', ') }})
    {%- endif %}
    {%- if partition_by %}
partitioned by ({{ partition_by | join(', ') }})
    {%- endif %}
  {%- endset %}
  {{ return([definition, afterimage.configured_properties(dict(of_format, **dict(format_properties, **(config.get('tblproperties') or {}))))]) }}
{% endmacro %}


{#
  A type as the format stores it, without the differences in spaces and nullability between describe and contracts.
  In: format, see table_format.
#}
{% macro _plain_type(type, format) %}
  {% set plain = type | lower | replace(' ', '') | replace('integer', 'int') | replace('long', 'bigint') %}
  {{ return(plain if format['small_integers'] else plain | replace('tinyint', 'int') | replace('smallint', 'int')) }}
{% endmacro %}


{#
  Table properties that map column names to others in the files (Delta's column mapping, which requires readers to
  support version 2 of its protocol): only where a name needs it, because most tables do not.
#}
{% macro _names_mapped(columns, format) %}
  {% set refused = modules.re.compile('[ ,;{}()\n\t=]') %}
  {% for column in columns if refused.search(column['name']) %}{{ return(format['mapped_names']) }}{% endfor %}
  {{ return({}) }}
{% endmacro %}
