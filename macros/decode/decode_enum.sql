{# MySQL enum: the label. The stream writes a comma within a label as \, and the snapshot unescaped (capture mariadb-inventory). #}
{% macro decode_enum(type, settings) %}
  {{ return({'literal': 'string', 'type': 'string', 'value': "replace({raw}, '\\\\,', ',')"}) }}
{% endmacro %}
