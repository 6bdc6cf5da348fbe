{#
  Unwraps JSON that may have been landed within a JSON string ("{\"before\":…}", as a string converter after a JSON
  converter writes it). In and out: SQL text. Text that only looks like it is unchanged.
#}
{% macro landed_json(text) %}
  {{ return("if(startswith(" ~ text ~ ", '\"{'), coalesce(get_json_object(concat('[', " ~ text ~ ", ']'), '$[0]'), " ~ text ~ "), " ~ text ~ ")") }}
{% endmacro %}
