{#
  The columns that identify one landed record in a ledger: its coordinate, within its epoch if any were declared. Out:
  SQL.
#}
{% macro ledger_place(change_log) %}
  {% set epochs = afterimage.epochs_of(change_log) %}
  {{ return('topic, partition, offset' ~ (', ' ~ afterimage.epoch_prefix('landed_at', epochs) if epochs else '')) }}
{% endmacro %}
