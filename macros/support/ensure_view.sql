{#
  Creates a view unless it exists with the same SQL (compared by its property afterimage.sql), so that a run with
  nothing new writes nothing. Column comments come from the model's YAML.
  In: view; its select; the names of its columns; its properties, see table_properties; is_changed, whether its select
  is known to differ.
#}
{% macro ensure_view(view, view_sql, columns, properties, is_changed) %}
  {% set fingerprint = local_md5(view_sql) %}
  {% if not is_changed and afterimage.is_view_of(view, view_sql) %}
    {% do afterimage.nothing_to_do('nothing new') %}
  {% else %}
    {% set existing = afterimage.listed_relation(view) %}
    {% if existing and existing.type != 'view' %}{% do adapter.drop_relation(existing) %}{% endif %}
    {% set comments, stated = [], [] %}
    {% for name, value in dict(properties, sql=fingerprint).items() %}{% do stated.append(afterimage.property_assignment(name, value)) %}{% endfor %}
    {% for column in columns %}
      {% do comments.append(afterimage.identifier(column) ~ afterimage.column_comment(column)) %}
    {% endfor %}
    {% set create -%}
create or replace view {{ view }} (
    {{ comments | join(',\n    ') }}
)
tblproperties ({{ stated | join(', ') }})
as
{{ view_sql }}
    {%- endset %}
    {% do afterimage.carry_out('replace the view', create, 'main') %}
    {% do afterimage.list_relation(view, 'view') %}
    {% do afterimage.forget_properties(view) %}
  {% endif %}
{% endmacro %}


{# Whether a view already exists with the same select. In: view; its select. #}
{% macro is_view_of(view, view_sql) %}
  {% set existing = afterimage.existing_view(view) %}
  {{ return(existing and existing.type == 'view' and afterimage.table_properties(view).get('sql') == local_md5(view_sql)) }}
{% endmacro %}
