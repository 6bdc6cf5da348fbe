{# Finite doubles without their wrapper, as the stored form has them. In and out: SQL text. #}
{% macro bare_doubles(text) %}
  {{ return('regexp_replace(' ~ text ~ ', ' ~ afterimage.literal('\\{"\\$numberDouble":"(-?[0-9][^"]*)"\\}') ~ ", '$1')") }}
{% endmacro %}
