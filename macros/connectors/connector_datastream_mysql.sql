{#
  MySQL and MariaDB through Google Datastream. See connector() and datastream_connector() for the keys.
  Bytes come as hexadecimal digits (fixtures AllDatatypeColumns), bits as a number.
#}
{% macro connector_datastream_mysql(contract) %}
  {{ return(afterimage.datastream_connector(contract, afterimage.connector_mysql(dict(contract, connector='mysql')),
            afterimage.position_datastream_mysql('source'), '[0-9]{10}[.][0-9]{12}')) }}
{% endmacro %}
