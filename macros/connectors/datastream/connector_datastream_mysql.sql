{#
  MySQL and MariaDB through Google Datastream. See connector() and datastream_connector() for the keys.
  Bytes come as hexadecimal digits (fixtures AllDatatypeColumns), bits as a number.
#}
{% macro connector_datastream_mysql(contract) %}
  {#
    The position of a change in the binary log: number of the file, position in it: 0000000014.000000059424; NULL when a part is missing or longer
    than its field. As in connector_mysql, without the row, which Datastream does not send.
  #}
  {% set number = "regexp_extract(source.log_file, '[.]([0-9]+)$', 1)" %}
  {% set position = "case when " ~ number ~ " rlike '^[0-9]{1,10}$' and source.log_position rlike '^[0-9]{1,12}$'"
                    ~ " then concat_ws('.', lpad(" ~ number ~ ", 10, '0'), lpad(source.log_position, 12, '0')) end" %}
  {{ return(afterimage.datastream_connector(contract, afterimage.connector_mysql(dict(contract, connector='mysql')),
            position, '[0-9]{10}[.][0-9]{12}')) }}
{% endmacro %}
