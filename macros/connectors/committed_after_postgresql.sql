{#
  The last commit read before the change's own transaction (first element of source.sequence): the change was not yet committed there.
  It lies behind the change itself where another transaction committed in between.
  In: SQL of a source struct with a text field sequence. Out: SQL text of 20 digits; NULL before the first commit that was read.
#}
{% macro committed_after_postgresql(source) %}
  {{ return("lpad(cast(" ~ afterimage._sequence_postgresql(source, 1) ~ " as string), 20, '0')") }}
{% endmacro %}
