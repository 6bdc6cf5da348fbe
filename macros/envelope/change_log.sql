{#
  The staged change log of one source table: one row per accepted change event.

  In:  landing, the source() of a table whose contract (config.meta.cdc) names topic, key and columns; operator_events, the ref() or source()
       of a table of such events (see operator_events), or none.
  Out: as a model of its own, a table of the contract's columns and the _cdc_ columns (macros/contract/_cdc_columns.md), appended to by each run.
  The compiled SQL is one pass over the landed records of the table's topic that have no verdict yet: each is parsed once and leaves
  with an outcome (accepted, ignored, refused). The materialization puts the accepted ones into the change log and the others into the
  ledger beside it, from which the quality models read.

  What an operator declares (a new epoch, rows that are gone) comes in beside them, from a small table: docs/concepts/operator-events.md.

      {{ afterimage.change_log(source('shop', 'orders')) }}
      {{ afterimage.change_log(source('shop', 'orders'), operator_events=ref('operator_events')) }}
#}
{% macro change_log(landing, operator_events=none) %}
  {{ config(materialized='cdc_change_log') }}
  {% if not execute %}{{ return('') }}{% endif %}
  {% set contract = afterimage.contract_of_model(model) %}
  {% set built = afterimage.built_so_far(this) %}
  {% set declared = afterimage.operator_events(operator_events, contract) %}
  {% set events = afterimage.new_operator_events(built, declared) %}
  {% set epochs = afterimage.epochs(declared) %}
  {% set fingerprint = afterimage.contract_fingerprint(contract, afterimage.retry_stamp(this), epochs) %}
  {% set state = afterimage.change_log_state(built, contract) %}
  {% set waiting = afterimage.waiting_records(landing, contract, fingerprint, built, epochs) %}
  {{ return(afterimage.judged_records(landing, contract, fingerprint, built, waiting, state['late_columns'] | list, epochs, events, state)) }}
{% endmacro %}


{# Set by `afterimage retry`: a new stamp makes every refused record of the table be tried again. #}
{% macro retry_stamp(relation) %}
  {% set ledger = afterimage.built_so_far(relation, 'ledger') %}
  {{ return(afterimage.table_properties(ledger).get('retry', '') if ledger else '') }}
{% endmacro %}
