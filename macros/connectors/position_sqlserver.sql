{#
  SQL Server: the place of a change in the log of its database: LSN of the commit, LSN of the change, serial number among the changes at these:
  0000002700000ac00007.0000002700000ac00002.0000000000000000002 for 00000027:00000ac0:0007, 00000027:00000ac0:0002 and 2. An LSN is
  hexadecimal and of one length, so text order is number order.
  The serial number is text in some documents and a number in others; an update has 2, because its two rows are one event. Snapshot rows
  have the greatest LSN there was when they were read, and neither of the other two (the id of a CloudEvent says null).
  Places of two databases say nothing of each other.
  In: SQL of the envelope's source. Out: SQL text, NULL when a part is none.
#}
{% macro position_sqlserver(source) %}
  {% set form = "'^[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{4}\\\\z'" %}
  {% set change = "coalesce(nullif(" ~ source ~ ".change_lsn, 'null'), '00000000:00000000:0000')" %}
  {% set serial = "coalesce(nullif(" ~ source ~ ".event_serial_no, 'null'), '0')" %}
  {# not by lower(), see hex_text #}
  {% set places = "translate(concat(" ~ source ~ ".commit_lsn, '.', " ~ change ~ "), 'ABCDEF:', 'abcdef')" %}
  {{ return(
    "case when " ~ source ~ ".commit_lsn rlike " ~ form ~ " and " ~ change ~ " rlike " ~ form ~ " and " ~ serial ~ " rlike '^[0-9]{1,19}\\\\z' then concat("
    ~ places ~ ", '.', lpad(" ~ serial ~ ", 19, '0')) end") }}
{% endmacro %}
