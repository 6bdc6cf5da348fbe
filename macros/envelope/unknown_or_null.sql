{#
  Template of a decoder's `unknown` for a column whose NULL in an update, or in the create of a key change, may mean that it was not sent.
  PostgreSQL does not send a long value that an update leaves alone; for most arrays, bytea as base64 and others Debezium then writes null
  (captured with 3.6.3: docs/concepts/values.md). In: the decoder's own template, or none. Stands in a step that has op and old_key.
#}
{% macro unknown_or_null(unknown) %}
  {{ return("(" ~ (unknown ~ " or " if unknown else "") ~ "{raw} is null and (op in ('u', 'x') or old_key is not null))") }}
{% endmacro %}
