{# Drops a view, or whatever else stands under its name. #}
{% macro drop_view(view) %}
  {% set existing = afterimage.existing_view(view) %}
  {% if existing %}{% do adapter.drop_relation(existing) %}{% endif %}
  {% do afterimage.run_memory('views').pop(view.include(identifier=false) | string, none) %}
  {% do afterimage.forget_properties(view) %}
{% endmacro %}
