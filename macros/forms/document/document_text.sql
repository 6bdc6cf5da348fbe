{#
  One JSON object in the spelling of document_terms, with keys sorted by name at all levels, so that equal documents are
  equal texts; NULL where the text is no single object, or has a duplicate key. In and out: SQL text.
  As a column it has bare_doubles around it.
#}
{% macro document_text(terms) %}
  {% set parsed = "from_json(concat('[', t, ']'), 'array<variant>')" %}
  {% set one = "transform(array(" ~ parsed ~ "), p -> if(size(p) = 1 and t like '{%}', to_json(get(p, 0)), null))" %}
  {{ return('get(flatten(transform(array(' ~ terms ~ '), t -> ' ~ one ~ ')), 0)') }}
{% endmacro %}
