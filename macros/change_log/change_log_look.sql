{#
  What a change log has to do in this run, found without a lock or a write.

  In:  relation of the change log; landing relation; contract; declared, the operator events (see operator_events).
  Out: {built, the existing table or none; known, its properties; events, the new operator events; epochs; fingerprint; state, see
       change_log_state; pending, see pending_records; has_records, whether records or events are pending; has_work, whether a table must be
       written, if only to finish a run that was cut off}
  Raises where the change log has lost its ledger, and on the first run where landing cannot be read.
#}
{% macro change_log_look(relation, landing, contract, declared) %}
  {% set built, ledger = afterimage.built_so_far(relation), afterimage.companion_table(relation, 'ledger') %}
  {% if built and not afterimage.is_there(ledger) %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': ' ~ built ~ ' is there without its ledger, ' ~ ledger ~ '. Nothing was written: records that were refused or '
      ~ 'ignored would be read again, and those that landing no longer holds forgotten. Move the ledger there (after a change of afterimage_schema), '
      ~ 'or rebuild with --full-refresh while landing still holds the start.') %}
  {% endif %}
  {% if not built %}{% do afterimage.refuse_landing(landing) %}{% endif %}
  {% set events = afterimage.new_operator_events(built, declared) %}
  {% set epochs = afterimage.epochs(declared) %}
  {% set fingerprint = afterimage.contract_fingerprint(contract, afterimage.retry_stamp(relation), epochs) %}
  {% set state = afterimage.change_log_state(built, contract) %}
  {% set pending = afterimage.pending_records(landing, contract, fingerprint, built, epochs) %}
  {% set has_records = pending['records'] != 0 or events | length > 0 %}
  {{ return({
    'built': built,
    'known': afterimage.table_properties(built) if built else {},
    'events': events,
    'epochs': epochs,
    'fingerprint': fingerprint,
    'state': state,
    'pending': pending,
    'has_records': has_records,
    'has_work': has_records or state['begun'] > state['batch'] or state['remembered'] | length > 0,
  }) }}
{% endmacro %}
