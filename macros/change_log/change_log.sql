{#
  The staged change log of one source table: one row per accepted change event.

  In:  landing, the source() of a table whose contract (config.meta.cdc) names topic, key and columns; operator_events, the ref() or source()
       of a table of such events (see operator_events), or none.
  Out: as a model of its own, a table of the contract's columns and the _cdc_ columns (macros/contract/_cdc_columns.md). Each run appends to it.
  The compiled SQL shows how a record is read, from the contract alone. The materialization finds the records that have no outcome yet, reads each
  once and gives it one (accepted, ignored, refused). Accepted records go into the change log, the others into its companion table, the ledger,
  which the quality models read.

  Operator events (a new epoch, rows that are gone) come from a small table of their own: docs/concepts/operator-events.md.

      {{ afterimage.change_log(source('shop', 'orders')) }}
      {{ afterimage.change_log(source('shop', 'orders'), operator_events=ref('operator_events')) }}
#}
{% macro change_log(landing, operator_events=none) %}
  {{ config(materialized='cdc_change_log') }}
  {% if not execute %}{{ return('') }}{% endif %}
  {% set contract = afterimage.contract_of_model(model) %}
  {# in a unit test one statement decides every record #}
  {% set is_routine = model.resource_type != 'unit_test' and afterimage.has_routine(contract) %}
  {% set form = afterimage.declared_form(contract) if is_routine else none %}
  {% set new_records = afterimage.new_records(landing, contract, '', as_landed=is_routine) %}
  {% set declared = '-- operator events: ' ~ operator_events ~ '\n' if operator_events else '' %}
  {{ return(declared ~ afterimage.laid_out(afterimage.records_read_by(contract, form, new_records))) }}
{% endmacro %}


{# The retry stamp of a ledger. `afterimage retry` sets it: with a new stamp the next run tries every refused record of the table again. #}
{% macro retry_stamp(relation) %}
  {% set ledger = afterimage.built_so_far(relation, 'ledger') %}
  {{ return(afterimage.table_properties(ledger).get('retry', '') if ledger else '') }}
{% endmacro %}
