{#
  The last commit read before the change's own transaction (first element of source.sequence), where it lies behind the change itself.
  In: SQL of a source struct with text fields lsn and sequence. Out: SQL text of 20 digits, else NULL.
#}
{% macro committed_after_postgresql(source) %}
  {% set commit = "try_cast(get(from_json(" ~ source ~ ".sequence, 'array<string>'), 0) as bigint)" %}
  {{ return("if(" ~ commit ~ " > try_cast(" ~ source ~ ".lsn as bigint), lpad(cast(" ~ commit ~ " as string), 20, '0'), null)") }}
{% endmacro %}
