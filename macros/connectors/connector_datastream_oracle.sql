{# Oracle through Google Datastream. See connector() and datastream_connector() for the keys. #}
{% macro connector_datastream_oracle(contract) %}
  {{ return(afterimage.datastream_connector(contract, afterimage.connector_oracle(dict(contract, connector='oracle')),
            afterimage.position_datastream_oracle('source'), '[0-9]{20}[.][0-9a-f]{24}[.][0-9]{10}')) }}
{% endmacro %}
