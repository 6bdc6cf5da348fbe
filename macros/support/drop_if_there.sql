{# Drops a relation of any type and its cached properties. #}
{% macro drop_if_there(relation, existing=none) %}
  {% set existing = existing or afterimage.listed_relation(relation) %}
  {% if existing %}{% do adapter.drop_relation(existing) %}{% endif %}
  {% do afterimage.forget_properties(relation) %}
{% endmacro %}
