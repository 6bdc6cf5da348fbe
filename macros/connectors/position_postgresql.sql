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
