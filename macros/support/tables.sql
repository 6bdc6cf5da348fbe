{#
  Creates a table from a list of {name, type} unless it is there; adds columns it lacks; refuses a column whose type is another now
  (Spark cannot change it in place, and writing on would fail or damage values in the middle). Comments come from the model's YAML.
  In: relation; columns; file_format; partition_by (list of column names, may be empty); properties it is created with (see
  table_properties). Out: true when it was created.
#}
{% macro ensure_table(relation, columns, file_format, partition_by=[], properties={}) %}
  {% set existing = adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier) %}
  {% if existing is none %}
    {% set definitions = [] %}
    {% for column in columns %}
      {% set described = (model.columns.get(column['name']) or {}).get('description') %}
      {% do definitions.append(afterimage.identifier(column['name']) ~ ' ' ~ column['type']
                               ~ (' comment ' ~ afterimage.literal(described | replace('\n', ' ') | trim) if described else '')) %}
    {% endfor %}
    {% set stated = [] %}
    {% for name, value in properties.items() %}{% do stated.append(afterimage._property(name, value)) %}{% endfor %}
    {% set create -%}
create table {{ relation }} (
    {{ definitions | join(',\n    ') }}
)
using {{ file_format }}
{% if partition_by %}partitioned by ({{ partition_by | join(', ') }}){% endif %}
{% if properties %}tblproperties ({{ stated | join(', ') }}){% endif %}
    {%- endset %}
    {% do run_query(create) %}
    {# dbt learned the schema's tables before this one was made #}
    {% do adapter.cache_added(relation.incorporate(type='table')) %}
    {{ return(true) }}
  {% else %}
    {% set present = {} %}
    {% for column in adapter.get_columns_in_relation(existing) %}{% do present.update({column.name: column.dtype}) %}{% endfor %}
    {% set changed = [] %}
    {% for column in columns if column['name'] in present %}
      {% if afterimage._plain_type(present[column['name']]) != afterimage._plain_type(column['type']) %}
        {% do changed.append(column['name'] ~ ' is ' ~ present[column['name']] ~ ', the contract now makes it ' ~ column['type']) %}
      {% endif %}
    {% endfor %}
    {% if changed %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] ' ~ model.name ~ ': the type of a column of ' ~ relation ~ ' changed: ' ~ changed | join('; ')
        ~ '. Nothing was written. Build it anew with --full-refresh while landing still holds the start, or give the column its old type.') %}
    {% endif %}
    {% set missing = [] %}
    {% for column in columns if column['name'] not in present %}
      {% do missing.append(afterimage.identifier(column['name']) ~ ' ' ~ column['type']) %}
    {% endfor %}
    {% if missing %}
      {% do afterimage.say('adding to ' ~ relation ~ ': ' ~ missing | join(', ')) %}
      {% do run_query('alter table ' ~ relation ~ ' add columns (' ~ missing | join(', ') ~ ')') %}
    {% endif %}
    {{ return(false) }}
  {% endif %}
{% endmacro %}


{# A type without the spaces and the NULL-ness that describe and contracts write differently. #}
{% macro _plain_type(type) %}
  {{ return(type | lower | replace(' ', '') | replace('integer', 'int') | replace('long', 'bigint')) }}
{% endmacro %}


{# Drops a relation of any type and forgets it. #}
{% macro drop_if_there(relation) %}
  {% set existing = adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier) %}
  {% if existing %}{% do adapter.drop_relation(existing) %}{% endif %}
{% endmacro %}


{# Comma-separated SQL names of a list of {sql}, optionally behind an alias. #}
{% macro column_names(columns, alias='') %}
  {% set names = [] %}
  {% for column in columns %}{% do names.append((alias ~ '.' if alias else '') ~ column['sql']) %}{% endfor %}
  {{ return(names | join(',\n    ')) }}
{% endmacro %}


{#
  What a model may be configured with on open-source Spark. Raises with the reason and the alternative.
#}
{% macro refuse_unsupported_config() %}
  {% if config.get('grants') %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': grants cannot work on open-source Spark (SHOW GRANTS does not parse) and would fail after the data '
      ~ 'was written. Remove `grants` and manage access in your catalog.') %}
  {% endif %}
{% endmacro %}


{# The contract enforced on a model: names and types of a select against the model's YAML. #}
{% macro enforce_contract(sql) %}
  {% if config.get('contract') and config.get('contract').enforced %}
    {% do get_assert_columns_equivalent(sql) %}
  {% endif %}
{% endmacro %}


{#
  Makes a view unless it stands with the same SQL already (told by its property afterimage.sql), so that a run with nothing new writes
  nothing. Column comments come from the model's YAML.
#}
{% macro ensure_view(view, view_sql) %}
  {% set fingerprint = local_md5(view_sql) %}
  {% set existing = adapter.get_relation(database=view.database, schema=view.schema, identifier=view.identifier) or afterimage.unlisted_view(view) %}
  {% if existing and existing.type == 'view' and afterimage.table_properties(existing).get('sql') == fingerprint %}
    {% call statement('main') %}select 'view is up to date'{% endcall %}
  {% else %}
    {% if existing and existing.type != 'view' %}{% do adapter.drop_relation(existing) %}{% endif %}
    {% set comments = [] %}
    {% for column in afterimage.columns_of_select(view_sql) %}
      {% set described = (model.columns.get(column) or {}).get('description') %}
      {% do comments.append(afterimage.identifier(column) ~ (' comment ' ~ afterimage.literal(described | replace('\n', ' ') | trim) if described else '')) %}
    {% endfor %}
    {% call statement('main') %}
create or replace view {{ view }} (
    {{ comments | join(',\n    ') }}
)
tblproperties ('afterimage.sql' = '{{ fingerprint }}')
as
{{ view_sql }}
    {% endcall %}
    {% do adapter.cache_added(view) %}
  {% endif %}
{% endmacro %}


{# A view that stands though dbt did not list it: Iceberg's catalogs tell of views apart from tables, and dbt asks for tables only. Else none. #}
{% macro unlisted_view(view) %}
  {% if config.get('file_format') != 'iceberg' %}{{ return(none) }}{% endif %}
  {{ return(view if run_query('show views in ' ~ view.include(identifier=false) ~ " like '" ~ view.identifier ~ "'").rows | length else none) }}
{% endmacro %}


{# Names of the columns of a select, asked of Spark without reading a row. #}
{% macro columns_of_select(select_sql) %}
  {{ return(run_query('select * from (' ~ select_sql ~ ') as asked limit 0').column_names) }}
{% endmacro %}
