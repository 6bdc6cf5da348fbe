{# The materializations whose models keep tables. #}
{% macro kept_tables() %}
  {{ return(['cdc_change_log', 'cdc_history', 'cdc_current']) }}
{% endmacro %}
