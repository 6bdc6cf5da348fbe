{#
  PostgreSQL: the place of a change in the write-ahead log as 20 digits, so that text order is number order.
  source.lsn is write order: it goes back between transactions but never within one key (row locks).
  Incremental snapshot rows have no lsn; their place is the second element of source.sequence.
  In: SQL of a source struct with text fields lsn and sequence. Out: SQL text, NULL when neither is there.
#}
{% macro position_postgresql(source) %}
  {{ return("lpad(cast(coalesce(try_cast(" ~ source ~ ".lsn as bigint), try_cast(get(from_json(" ~ source
            ~ ".sequence, 'array<string>'), 1) as bigint)) as string), 20, '0')") }}
{% endmacro %}


{#
  The last commit read before the change's own transaction (first element of source.sequence), where it lies behind the change itself.
  In: SQL of a source struct with text fields lsn and sequence. Out: SQL text of 20 digits, else NULL.
#}
{% macro committed_after_postgresql(source) %}
  {% set commit = "try_cast(get(from_json(" ~ source ~ ".sequence, 'array<string>'), 0) as bigint)" %}
  {{ return("if(" ~ commit ~ " > try_cast(" ~ source ~ ".lsn as bigint), lpad(cast(" ~ commit ~ " as string), 20, '0'), null)") }}
{% endmacro %}
