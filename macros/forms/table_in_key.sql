{#
  The physical table of a record that may lack its source (a row without an envelope, a CloudEvent without attributes). The transformation that
  routes several tables into one topic writes it into the record's key, which a delete has too; else it is the table in the source. NULL where
  neither is there although keys are unique only within a physical table: the topic is the same for all, and would merge several rows into one.
  Source: Debezium documentation, "topic routing" (key.enforce.uniqueness, key.field.name).
  In: source_table, as the connector has it. Out: SQL text.
#}
{% macro table_in_key(source_table) %}
  {% set field = '__dbz__physicalTableIdentifier' %}
  {{ return("coalesce(get_json_object(record_key, '$." ~ field ~ "'), get_json_object(record_key, '$.payload." ~ field ~ "'), nullif(" ~ source_table ~ ", ''))") }}
{% endmacro %}
