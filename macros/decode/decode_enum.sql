{# MySQL enum: the label. The stream writes a comma within a label as \, and the snapshot as it is (capture mariadb-inventory). #}
{% macro decode_enum(type, settings) %}
  {{ return({'literal': 'string', 'type': 'string', 'value': "replace({raw}, '\\\\,', ',')"}) }}
{% endmacro %}
