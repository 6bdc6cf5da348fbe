{#
  Db2: the place of a change in the log: LSN of the commit, LSN of the change. An LSN is hexadecimal; its last part has four digits in the
  documentation and sixteen in what the connector writes, so each part is padded:
  00000000000000000000000000031e15.00000000000000000000000000031dff for 00000000:00000000:0000000000031e15 and
  00000000:00000000:0000000000031dff. Snapshot rows have the LSN they were read at as that of the commit, and none of a change.
  In: SQL of the envelope's source. Out: SQL text, NULL when a part is none.
#}
{% macro position_db2(source) %}
  {% set form = "'^[0-9A-Fa-f]{1,8}:[0-9A-Fa-f]{1,8}:[0-9A-Fa-f]{1,16}\\\\z'" %}
  {% set commit, change = source ~ ".commit_lsn", "coalesce(nullif(" ~ source ~ ".change_lsn, 'null'), '0:0:0')" %}
  {{ return(
    "case when " ~ commit ~ " rlike " ~ form ~ " and " ~ change ~ " rlike " ~ form ~ " then concat("
    ~ afterimage._padded_lsn(commit) ~ ", '.', " ~ afterimage._padded_lsn(change) ~ ") end") }}
{% endmacro %}


{# The three parts of an LSN, each as long as it may be, in small letters (not by lower(), see hex_text). In and out: SQL. #}
{% macro _padded_lsn(lsn) %}
  {% set part = "lpad(substring_index(substring_index(" ~ lsn ~ ", ':', " %}
  {{ return("translate(concat(" ~ part ~ "1), ':', -1), 8, '0'), " ~ part ~ "2), ':', -1), 8, '0'), " ~ part ~ "3), ':', -1), 16, '0')), 'ABCDEF', 'abcdef')") }}
{% endmacro %}
