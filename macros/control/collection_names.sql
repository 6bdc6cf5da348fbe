{#
  The names that a table of the topic of transactions (`data_collection`) may have, as changes tell theirs without the server: an array of
  texts (SQL). In: collection (SQL text), contract.
    sqlserver, db2   `testDB.dbo.testDB.orders`, which has the database twice: testDB.dbo.orders
    mongodb          `rs0.shop.orders`, in front of which is the replica set: shop.orders. Newer connectors leave that out. A collection may have
                     points in its name
    others           as it is: `shop.orders`, `PDB.SHOP.ORDERS`
  Source: Debezium documentation, "transaction metadata" of each connector; sample of SQL Server 001:21024.
#}
{% macro collection_names(collection, contract) %}
  {% if contract['connector'] in ['sqlserver', 'db2'] %}
    {{ return("array(regexp_replace(" ~ collection ~ ", '^([^.]+)[.]([^.]+)[.]\\\\1[.]', '$1.$2.'))") }}
  {% elif contract['connector'] == 'mongodb' %}
    {{ return("array(regexp_replace(" ~ collection ~ ", '^[^.]+[.]', ''), " ~ collection ~ ")") }}
  {% endif %}
  {{ return('array(' ~ collection ~ ')') }}
{% endmacro %}
