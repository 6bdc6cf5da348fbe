{#
  JSON that may have been landed within a JSON string ("{\"before\":…}", as a converter of strings behind one of JSON gives it), as it was before
  that. In and out: SQL text. What only looks like it stays as it is.
#}
{% macro landed_json(text) %}
  {{ return("if(startswith(" ~ text ~ ", '\"{'), coalesce(get_json_object(concat('[', " ~ text ~ ", ']'), '$[0]'), " ~ text ~ "), " ~ text ~ ")") }}
{% endmacro %}
