{# The view, or any other relation with its name; otherwise none. #}
{% macro existing_view(view) %}
  {{ return(afterimage.listed_relation(view) or afterimage._unlisted_view(view)) }}
{% endmacro %}


{#
  A view that exists though dbt did not list it: Iceberg's catalogs list views separately from tables, and dbt asks
  only for tables. Otherwise none.
#}
{% macro _unlisted_view(view) %}
  {% if afterimage.table_format(afterimage.file_format_of())['lists_views'] %}{{ return(none) }}{% endif %}
  {% set known, schema = afterimage.run_memory('views'), view.include(identifier=false) | string %}
  {% if schema not in known %}{% do known.update({schema: afterimage.ask('list views, which dbt does not', 'show views in ' ~ schema).rows | map(attribute=1) | list}) %}{% endif %}
  {{ return(view if view.identifier in known[schema] else none) }}
{% endmacro %}
