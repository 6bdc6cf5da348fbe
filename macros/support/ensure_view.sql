{#
  Makes a view unless it stands with the same SQL already (told by its property afterimage.sql), so that a run with nothing new writes
  nothing. Column comments come from the model's YAML.
  In: view; its select; the names of its columns; properties it is to have, see table_properties.
#}
{% macro ensure_view(view, view_sql, columns, properties={}) %}
  {% set fingerprint = local_md5(view_sql) %}
  {% set existing = afterimage.standing_view(view) %}
  {% if existing and existing.type == 'view' and afterimage.table_properties(existing).get('sql') == fingerprint %}
    {% call statement('main') %}select 'view is up to date'{% endcall %}
  {% else %}
    {% if existing and existing.type != 'view' %}{% do adapter.drop_relation(existing) %}{% endif %}
    {% set comments, stated = [], [] %}
    {% for name, value in dict(properties, sql=fingerprint).items() %}{% do stated.append(afterimage._property(name, value)) %}{% endfor %}
    {% for column in columns %}
      {% do comments.append(afterimage.identifier(column) ~ afterimage.column_comment(column)) %}
    {% endfor %}
    {% call statement('main') %}
create or replace view {{ view }} (
    {{ comments | join(',\n    ') }}
)
tblproperties ({{ stated | join(', ') }})
as
{{ view_sql }}
    {% endcall %}
    {% do adapter.cache_added(view) %}
  {% endif %}
{% endmacro %}
