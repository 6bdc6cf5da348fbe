{# In the list of an envelope's columns: why the bytes of a record in Avro are not to be read. #}
{% macro unreadable(contract) %}
  {{ return('unreadable,\n        ' if contract['avro_schemas'] else '') }}
{% endmacro %}
