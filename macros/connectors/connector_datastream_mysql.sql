{#
  MySQL and MariaDB through Google Datastream. See connector() and datastream_connector() for the keys.
  Bytes come as hexadecimal digits (fixtures AllDatatypeColumns), bits as a number.
#}
{% macro connector_datastream_mysql(contract) %}
  {{ return(afterimage.datastream_connector(contract, afterimage.connector_mysql(dict(contract, connector='mysql')),
            afterimage._position_datastream_mysql(), '[0-9]{10}[.][0-9]{12}')) }}
{% endmacro %}


{#
  The place of a change in the binary log: number of the file, position in it: 0000000014.000000059424. As _position_mysql, without the row,
  which Datastream does not give. Out: SQL text, NULL when a part is missing or longer than its place.
#}
{% macro _position_datastream_mysql() %}
  {% set number = "regexp_extract(source.log_file, '[.]([0-9]+)$', 1)" %}
  {{ return("case when " ~ number ~ " rlike '^[0-9]{1,10}$' and source.log_position rlike '^[0-9]{1,12}$'"
            ~ " then concat_ws('.', lpad(" ~ number ~ ", 10, '0'), lpad(source.log_position, 12, '0')) end") }}
{% endmacro %}
