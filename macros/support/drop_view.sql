{# Drops a view, or whatever else stands under its name. #}
{% macro drop_view(view) %}
  {% set existing = afterimage.standing_view(view) %}
  {% if existing %}{% do adapter.drop_relation(existing) %}{% endif %}
  {% do afterimage.forget_properties(view) %}
{% endmacro %}
