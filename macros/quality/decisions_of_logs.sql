{#
  The rows of the ledgers of several change logs as one select, for the same reason as changes_of_logs.

  In:  change_logs; contracts, those of the change logs, in their order. Out: a select, one row for each row of a
       ledger:
    source_name, table_name, landing   the table, and where its records land
    epoch   prefix of positions of the record's epoch, see epoch_prefix
  and columns of the ledger under their own names. With epoch they identify a landed record, as ledger_place does for
  one ledger.
#}
{% macro decisions_of_logs(change_logs, contracts) -%}
{% for change_log in change_logs -%}
{% set contract = contracts[loop.index0] -%}
select
    {{ afterimage.literal(contract['source_name']) }}{{ ' as source_name' if loop.first }},
    {{ afterimage.literal(contract['table_name']) }}{{ ' as table_name' if loop.first }},
    {{ afterimage.literal(contract['landing']) }}{{ ' as landing' if loop.first }},
    {{ afterimage.epoch_prefix('landed_at', afterimage.epochs_of(change_log)) }}{{ ' as epoch' if loop.first }},
    topic, partition, offset, event_id, outcome, kind, batch
from {{ afterimage.companion_table(change_log, 'ledger') }}
{{- '\nunion all\n' if not loop.last -}}
{%- endfor %}
{%- endmacro %}
