{# The columns that make one landed record of a ledger's rows: its coordinate, within its epoch where some were declared. Out: SQL. #}
{% macro ledger_place(change_log) %}
  {% set epochs = afterimage.epochs_of(change_log) %}
  {{ return('topic, partition, offset' ~ (', ' ~ afterimage.epoch_prefix('landed_at', epochs) if epochs else '')) }}
{% endmacro %}
