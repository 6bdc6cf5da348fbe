{# SQL Server through Google Datastream. See connector() and datastream_connector() for the keys; replication_index gives the key. #}
{% macro connector_datastream_sqlserver(contract) %}
  {% set form = '^[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{4}$' %}
  {{ return(afterimage.datastream_connector(contract, afterimage.connector_sqlserver(contract),
            "case when source.lsn rlike '" ~ form ~ "' then translate(source.lsn, 'ABCDEF:', 'abcdef') end", '[0-9a-f]{20}')) }}
{% endmacro %}
