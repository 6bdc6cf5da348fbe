{#
  Makes a view unless it stands with the same SQL already (told by its property afterimage.sql), so that a run with nothing new writes
  nothing. Column comments come from the model's YAML.
#}
{% macro ensure_view(view, view_sql) %}
  {% set fingerprint = local_md5(view_sql) %}
  {% set existing = adapter.get_relation(database=view.database, schema=view.schema, identifier=view.identifier) or afterimage._unlisted_view(view) %}
  {% if existing and existing.type == 'view' and afterimage.table_properties(existing).get('sql') == fingerprint %}
    {% call statement('main') %}select 'view is up to date'{% endcall %}
  {% else %}
    {% if existing and existing.type != 'view' %}{% do adapter.drop_relation(existing) %}{% endif %}
    {% set comments = [] %}
    {% for column in afterimage._columns_of_select(view_sql) %}
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
{% macro _unlisted_view(view) %}
  {% if config.get('file_format') != 'iceberg' %}{{ return(none) }}{% endif %}
  {{ return(view if run_query('show views in ' ~ view.include(identifier=false) ~ " like '" ~ view.identifier ~ "'").rows | length else none) }}
{% endmacro %}


{# Names of the columns of a select, asked of Spark without reading a row. #}
{% macro _columns_of_select(select_sql) %}
  {{ return(run_query('select * from (' ~ select_sql ~ ') as asked limit 0').column_names) }}
{% endmacro %}
