{# Whether the schema of a record may say how one of some columns is read (see decoder_by_schema). In: columns, of which it takes decoder. #}
{% macro is_any_read_by_schema(columns) %}
  {% for column in columns if column['decoder'].get('schema_names') or column['decoder'].get('in_hex') %}{{ return(true) }}{% endfor %}
  {{ return(false) }}
{% endmacro %}
