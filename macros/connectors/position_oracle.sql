{#
  Oracle: the SCN of a change, as text of 20 digits. It comes as text of as many digits as it has, or as a number; of a snapshot row it is
  the one the row was read as of.
  Versions of one row are in its order, because the row lock orders their writers. Many changes share one: the order within the
  transaction, where it is sent, and the landing coordinate tell them apart. commit_scn is no part of it, because before 3.x it is the
  commit of another transaction (see committed_after_oracle), nor are rs_id and ssn: the first is not sent by every adapter, and the other
  is always the same.
  In: SQL of the envelope's source. Out: SQL text, NULL when it is no number.
#}
{% macro position_oracle(source) %}
  {{ return("case when " ~ source ~ ".scn rlike '^[0-9]{1,20}\\\\z' then lpad(" ~ source ~ ".scn, 20, '0') end") }}
{% endmacro %}
