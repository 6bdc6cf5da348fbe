{# Oracle through Google Datastream. See connector() and datastream_connector() for the keys. #}
{% macro connector_datastream_oracle(contract) %}
  {#
    The position of a change in the redo log: scn, then rs_id, whose three parts are hexadecimal numbers, then ssn:
    00000015869116216871.000073c9000a4e4c000001d0.0000000067; NULL when a part is none.
    The documentation orders by rs_id and ssn alone; in that order its own sample has the INSERT of a row after its DELETE, and the row would
    exist forever. An rs_id refers to a thread's log, and is no number of the database. Without it (and ssn) only the scn is the position.
  #}
  {% set rs_id = "trim(coalesce(nullif(trim(source.rs_id), ''), '0x0.0.0'))" %}
  {% set ssn = "coalesce(nullif(source.ssn, ''), '0')" %}
  {% set parts = [] %}
  {% for part in [1, 2, 3] %}{% do parts.append("lpad(split_part(substr(" ~ rs_id ~ ", 3), '.', " ~ part ~ "), 8, '0')") %}{% endfor %}
  {% set position = "case when source.scn rlike '^[0-9]{1,20}$' and " ~ rs_id ~ " rlike '^0x[0-9A-Fa-f]{1,8}[.][0-9A-Fa-f]{1,8}[.][0-9A-Fa-f]{1,8}$' and " ~ ssn
                    ~ " rlike '^[0-9]{1,10}$' then concat_ws('.', lpad(source.scn, 20, '0'), translate(concat(" ~ parts | join(', ') ~ "), 'ABCDEF', 'abcdef'), lpad("
                    ~ ssn ~ ", 10, '0')) end" %}
  {{ return(afterimage.datastream_connector(contract, afterimage.connector_oracle(contract),
            position, '[0-9]{20}[.][0-9a-f]{24}[.][0-9]{10}')) }}
{% endmacro %}
