{# Longs and finite doubles without their wrappers, except within dates, as identities and the paths of a document are read. In and out: SQL text. #}
{% macro bare_numbers(text) %}
  {{ return('regexp_replace(' ~ text ~ ', ' ~ afterimage.literal('(?<!"\\$date":)\\{"\\$number(?:Double|Long)":"(-?[0-9][^"]*)"\\}') ~ ", '$1')") }}
{% endmacro %}
