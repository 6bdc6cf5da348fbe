{# Whether (SQL) a declared path is told of by one of those: by its own, or that of a document it is in. A part of it tells it not. #}
{% macro is_told(path, paths) %}
  {% set names = path.split('.') %}
  {% set above = [] %}
  {% for end in range(1, names | length + 1) %}{% do above.append(names[:end] | join('.')) %}{% endfor %}
  {{ return("coalesce(arrays_overlap(" ~ paths ~ ", array(" ~ afterimage.literals(above) ~ ")), false)") }}
{% endmacro %}
