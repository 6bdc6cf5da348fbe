{#
  A text (SQL) that sorts as transactions were committed, from the id in the record of their END; NULL where the id tells no order.
  In: id (SQL text), contract.
    postgresql   the second part is the place of the record in the log
    mysql        the number of a GTID (of one server), or file and position
    sqlserver, db2   the LSN of the commit
  Source: Debezium documentation, "transaction metadata" of each connector.
#}
{% macro transaction_place(id, contract) %}
  {% if contract['connector'] == 'postgresql' %}
    {{ return("lpad(substring_index(" ~ id ~ ", ':', -1), 20, '0')") }}
  {% elif contract['connector'] in ['mysql', 'mariadb'] %}
    {% set file = "lpad(regexp_extract(" ~ id ~ ", '[.]([0-9]+),pos=', 1), 10, '0')" %}
    {{ return("concat(" ~ file ~ ", lpad(regexp_extract(" ~ id ~ ", '([0-9]+)$', 1), 20, '0'))") }}
  {% elif contract['connector'] in ['sqlserver', 'db2'] %}
    {{ return(id) }}
  {% endif %}
  {{ return('cast(null as string)') }}
{% endmacro %}
