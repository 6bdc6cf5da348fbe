{# Drops a relation of any type and its cached properties; of Iceberg with its files, which most of its catalogs would leave. #}
{% macro drop_if_there(relation, existing=none) %}
  {% set existing = existing or afterimage.listed_relation(relation) %}
  {% set is_iceberg = existing and (existing.is_iceberg or ((model.config or {}).get('file_format') == 'iceberg' if model is defined)) %}
  {% if is_iceberg and existing.type != 'view' %}
    {% do adapter.cache_dropped(existing) %}
    {% do run_query('drop table if exists ' ~ existing ~ ' purge') %}
  {% elif existing %}
    {% do adapter.drop_relation(existing) %}
  {% endif %}
  {% do afterimage.forget_properties(relation) %}
{% endmacro %}
