{# The view, or whatever else stands under its name; else none. #}
{% macro standing_view(view) %}
  {{ return(adapter.get_relation(database=view.database, schema=view.schema, identifier=view.identifier) or afterimage._unlisted_view(view)) }}
{% endmacro %}


{# A view that stands though dbt did not list it: Iceberg's catalogs tell of views apart from tables, and dbt asks for tables only. Else none. #}
{% macro _unlisted_view(view) %}
  {% if config.get('file_format') != 'iceberg' %}{{ return(none) }}{% endif %}
  {{ return(view if run_query('show views in ' ~ view.include(identifier=false) ~ " like '" ~ view.identifier ~ "'").rows | length else none) }}
{% endmacro %}
