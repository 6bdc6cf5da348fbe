{#
  PostgreSQL: the place of a change in the write-ahead log as 20 digits, so that text order is number order.
  source.lsn is write order: it goes back between transactions but never within one key (row locks).
  Incremental snapshot rows have no lsn; their place is the second element of source.sequence.
  In: SQL of a source struct with text fields lsn and sequence. Out: SQL text, NULL when neither is there.
#}
{% macro position_postgresql(source) %}
  {{ return("lpad(cast(coalesce(try_cast(" ~ source ~ ".lsn as bigint), " ~ afterimage._sequence_postgresql(source, 2) ~ ") as string), 20, '0')") }}
{% endmacro %}


{#
  An element of source.sequence, which is JSON text of two places in the log, ["24023119","24023128"], either of them may be null.
  In: SQL of a source struct; 1 or 2. Out: SQL bigint, NULL when it is not there. Cut out as text: a JSON parser of its own for each record is dear.
#}
{% macro _sequence_postgresql(source, element) %}
  {{ return("try_cast(translate(split_part(" ~ source ~ ".sequence, ',', " ~ element ~ "), '[]\" ', '') as bigint)") }}
{% endmacro %}
