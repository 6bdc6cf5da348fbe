{#
  MySQL and MariaDB: the place of a change in the binary log: number of the file, position in it, row of the event, each padded so that
  text order is number order: 0000000003.000000000484.0000000001.
  The name of a file is no number (999999 comes before 1000000), and positions begin anew in each file. Snapshot rows share the place
  where the reading began. Where the transaction tells the order of its changes, that counts and the row does not: in a compressed
  transaction all events share one position, and `row` begins anew with each statement.
  In: SQL of the envelope's source and transaction. Out: SQL text, NULL when a part is missing or longer than its place.
#}
{% macro position_mysql(source, transaction) %}
  {% set number = "regexp_extract(" ~ source ~ ".file, '[.]([0-9]+)$', 1)" %}
  {% set row = "if(" ~ transaction ~ ".total_order is null, coalesce(" ~ source ~ ".row, '0'), '0')" %}
  {{ return(
    "case when " ~ number ~ " rlike '^[0-9]{1,10}$' and " ~ source ~ ".pos rlike '^[0-9]{1,12}$' and " ~ row ~ " rlike '^[0-9]{1,10}$'"
    ~ " then concat_ws('.', lpad(" ~ number ~ ", 10, '0'), lpad(" ~ source ~ ".pos, 12, '0'), lpad(" ~ row ~ ", 10, '0')) end") }}
{% endmacro %}
