{# True (SQL) when one of some JSON objects has a duplicate key: readers differ in which one they take. In: list of SQL texts; a NULL has none. #}
{% macro any_key_twice(texts) %}
  {% set repeated = [] %}
  {% for text in texts %}
    {% set keys = 'json_object_keys(' ~ text ~ ')' %}
    {% do repeated.append('size(' ~ keys ~ ') <> size(array_distinct(' ~ keys ~ '))') %}
  {% endfor %}
  {{ return('coalesce(' ~ repeated | join(' or ') ~ ', false)') }}
{% endmacro %}
