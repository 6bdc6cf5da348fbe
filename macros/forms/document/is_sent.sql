{# Whether (SQL) one of some paths covers a declared path: it is the path, or that of a document around it. A part of the path does not cover it. #}
{% macro is_sent(path, paths) %}
  {% set names = path.split('.') %}
  {% set above = [] %}
  {% for end in range(1, names | length + 1) %}{% do above.append(names[:end] | join('.')) %}{% endfor %}
  {{ return("coalesce(arrays_overlap(" ~ paths ~ ", array(" ~ afterimage.literals(above) ~ ")), false)") }}
{% endmacro %}
