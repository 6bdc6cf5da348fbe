{#
  Writes a change log. It searches for pending records, and writes nothing if there are none. Steps, each safe to
  repeat after a crash at any statement:

    1. <model>__batch   every new record with its verdict: the routine statement judges plainly expected records, the
                        exact statement those that the routine one marked, if any; while the table exists it locks out
                        other runs
    2. <model>__known   those of its rows that are in the change log already, or twice in the batch (see
                        recognised_changes): for a large batch, only if positions cannot rule them out
       property `operator`  the epochs and kinds of operator events among them; and `seen` (see seen_in_batches);
                            `read` is withdrawn
    3. <model>__ledger  + ignored, refused and duplicate records, if any
    4. <model>          + accepted changes, each once
    5. property `batch`  the batch is complete; history reads no further than this; and `read`, the region of landing
                         now processed (see region_read)

  The next run finds what was written in 3 or 4 before a crash by the anti-join on landing coordinates (new_records).
#}
{% materialization cdc_change_log, adapter='spark' %}
  {% do afterimage.refuse_unsupported_config() %}
  {% set contract = afterimage.contract_of_model(model) %}
  {% set file_format = afterimage.file_format_of() %}
  {% set target = this.incorporate(type='table') %}
  {% set ledger = afterimage.companion_table(this, 'ledger') %}
  {% set batch = afterimage.companion_table(this, 'batch') %}
  {% set known = afterimage.companion_table(this, 'known') %}
  {% set columns = afterimage.layer_columns(contract, afterimage.change_log_columns(contract)) %}
  {% set is_bag = not contract['key'] %}
  {% set has_names = afterimage.connector(contract).get('names_events') is not none %}
  {% set may_repeat = not has_names and (is_bag or not afterimage.connector(contract)['position_identifies_row']) %}

  {% do afterimage.begin_run(sql, 'change_log', 'from judged') %}
  {% do afterimage.check_format(target, file_format) %}
  {% do afterimage.check_format(ledger, file_format) %}

  {{ run_hooks(pre_hooks) }}

  {% set landing = afterimage.landing_of_model(model) %}
  {% set declared = afterimage.operator_events(afterimage.operator_events_of_model(model, sql), contract) %}
  {% set look = afterimage.change_log_look(this, landing, contract, declared) %}
  {% if look['has_work'] or should_full_refresh() %}
    {% do afterimage.acquire_lock(batch, afterimage.judged_columns(contract, columns), file_format) %}
    {% do afterimage.forget_properties(this) %}
    {% if look['built'] and afterimage.table_properties(this) != look['known'] %}
      {# another run has written since this one looked #}
      {% set look = afterimage.change_log_look(this, landing, contract, declared) %}
    {% endif %}
  {% endif %}
  {% set built, events, epochs, fingerprint = look['built'], look['events'], look['epochs'], look['fingerprint'] %}
  {% set state, pending = look['state'], look['pending'] %}
  {% if should_full_refresh() %}
    {% do afterimage.refuse_lossy_full_refresh(target, contract) %}
    {% do afterimage.drop_if_there(ledger) %}
    {% do afterimage.drop_if_there(target) %}
  {% endif %}
  {% set ledger_columns = [] %}
  {% for name, type in afterimage.ledger_columns().items() %}{% do ledger_columns.append({'name': name, 'sql': name, 'type': type}) %}{% endfor %}
  {% set has_entries = not afterimage.ensure_table(ledger, ledger_columns, file_format) %}
  {% set is_new = afterimage.ensure_table(target, columns, file_format, [], dict(state['remembered'], generation=state['generation'])) %}
  {% if state['remembered'] and not is_new %}
    {% do afterimage.set_table_properties(target, state['remembered']) %}
  {% endif %}

  {% set counts, form, remembered = [], none, {} %}
  {% if look['has_records'] %}
    {% if pending['region'] and pending['region']['version'] is none %}
      {# a first run, which processes everything: the version is queried first #}
      {% do pending['region'].update({'version': afterimage.landing_version(landing, contract)}) %}
    {% endif %}
    {% set added, region = pending.get('added', landing), pending['region'] if pending['is_above'] else none %}
    {% set form = afterimage.expected_form(built, contract, fingerprint, afterimage.new_values(added, contract, region)) %}
    {% set late_columns = state['late_columns'] | list %}
    {% set erasure = afterimage.erasure_of(this, declared) %}
    {% do afterimage.refuse_values_to_erase(built, events, erasure, epochs) %}
    {% set new_records = afterimage.new_records(added, contract, fingerprint, built, pending['records'], epochs, region, as_landed=form is not none) %}
    {% do afterimage.fill_batch(batch, contract, columns, afterimage.records_read_by(contract, form, new_records, late_columns, events), file_format, 'decode new records', erasure=erasure, epochs=epochs) %}
    {% do counts.extend(afterimage.counts_of_batch(batch)) %}
    {% set marked_rows = counts | selectattr('outcome', 'equalto', 'marked') | list %}
    {% set marked = marked_rows | map(attribute='records') | sum %}
    {% if form %}{% do remembered.update({'form': tojson(form)}) %}{% endif %}
    {% if marked %}
      {% set marked_records = afterimage.marked_records(added, contract, batch, marked, region) %}
      {# records with a schema block may follow after a form without one was found #}
      {% set has_schemas = afterimage.may_have_schemas(form) or marked_rows | map(attribute='kind') | select | list | length > 0 %}
      {% do afterimage.fill_batch(batch, contract, columns, afterimage.judged_records(contract, marked_records, late_columns, has_schemas=has_schemas), file_format, 'verdicts on the marked ones', '-1 - ', erasure, epochs) %}
      {% do remembered.update(afterimage.learned_of_marked(marked_records, contract, form, marked, counts | map(attribute='records') | sum, fingerprint)) %}
      {% set read = counts | map(attribute='records') | sum %}
      {% do counts.clear() %}
      {% do counts.extend(afterimage.counts_of_batch(batch) | rejectattr('outcome', 'equalto', 'marked')) %}
      {% if counts | map(attribute='records') | sum != read %}{% do afterimage.refuse_records_gone(landing, read - counts | map(attribute='records') | sum) %}{% endif %}
    {% endif %}
    {% if counts | selectattr('outcome', 'equalto', 'accepted') | map(attribute='operator') | sum > 0 %}{% do afterimage.remember_operator_events(target, batch) %}{% endif %}
  {% endif %}

  {% if not counts %}
    {% if state['begun'] > state['batch'] %}
      {# an earlier run was interrupted after it had written everything #}
      {% do afterimage.set_table_properties(target, {'batch': state['begun']}) %}
    {% endif %}
    {% if pending['region'] and pending['region'].get('held') and pending['region'] != afterimage.remembered_region(target) %}
      {# landing gained records of other tables: these need not be searched again #}
      {% do afterimage.set_table_properties(target, {'read': tojson(pending['region'], sort_keys=true)}) %}
    {% endif %}
    {% do afterimage.nothing_to_do('nothing new') %}
    {% do afterimage.say(model.name ~ ': nothing new') %}
  {% else %}
    {% set number = state['next'] %}
    {% set epochs = afterimage.epochs_of(target) %}
    {% set fingerprint = afterimage.contract_fingerprint(contract, afterimage.retry_stamp(this), epochs) %}
    {% set accepted = counts | selectattr('outcome', 'equalto', 'accepted') | first | default(none) %}
    {% set exceptional = {'relation': none, 'redelivered': 0, 'left_out': 0} %}
    {% set has_repeats = accepted and accepted['events'] < accepted['records'] %}
    {% set may_be_staged = accepted and not ((built is none or pending['is_above']) and afterimage.is_above_staged(target, accepted)) %}
    {% if has_repeats or may_be_staged %}
      {% set search = afterimage.recognised_changes(batch, target, accepted, may_repeat, is_bag, number, has_repeats, may_be_staged) %}
      {% do exceptional.update(afterimage.found_exceptional(search, accepted['records'], known, file_format)) %}
    {% endif %}
    {% set others = counts | rejectattr('outcome', 'equalto', 'accepted') | list %}
    {# records refused before are below the processed region, or that region no longer exists #}
    {% set may_resolve = accepted and has_entries and (epochs or not pending['is_above']) %}
    {% do afterimage.enforce_contract('select ' ~ afterimage.column_names(columns) ~ ' from (select *, cast(0 as bigint) as _cdc_batch from ' ~ batch ~ ') as batch') %}
    {% if accepted %}{% do remembered.update({'seen': afterimage.seen_with_batch(target, accepted)}) %}{% endif %}
    {% do afterimage.set_table_properties(target, dict(remembered, begun=number, read='')) %}
    {% if others or exceptional['redelivered'] or may_resolve %}
      {% do afterimage.carry_out('write the ledger', afterimage.ledger_insert(
        ledger, batch, exceptional['relation'], may_resolve, contract, number, fingerprint, epochs,
        may_be_whole=accepted and 'refused' in others | map(attribute='outcome'))) %}
    {% endif %}
    {% if accepted %}
      {% set insert -%}
insert into {{ target }} (
    {{ afterimage.column_names(columns) }}
)
{{ afterimage.new_changes_of_batch(batch, columns, exceptional['relation'], number) }}
      {%- endset %}
      {% do afterimage.carry_out('append the new changes', insert, 'main') %}
    {% else %}
      {% do afterimage.nothing_to_do('no change') %}
    {% endif %}
    {% set entered = [(accepted['records'] if accepted else 0) - exceptional['left_out'], others | map(attribute='records') | sum + exceptional['redelivered']] %}
    {% set read = afterimage.region_with_batch(pending['region'], counts[0]['places'], target, entered) %}
    {% do afterimage.set_table_properties(target, {'batch': number, 'read': read}) %}
    {% do afterimage.run_memory('batches').update({afterimage.relation_name(target): {
      'number': number,
      'changes': entered[0],
      'table_wide': accepted and accepted['operator'] + accepted['closings'] > 0,
    }}) %}
    {% set summary = [] %}
    {% for row in counts %}{% do summary.append(row['records'] ~ ' ' ~ row['outcome'] ~ (' (' ~ row['kind'] ~ ')' if row['kind'] else '')) %}{% endfor %}
    {% do afterimage.say(model.name ~ ': batch ' ~ number ~ ': ' ~ summary | join(', ') ~ '; searched for new records ' ~ pending['way']) %}
  {% endif %}

  {% do afterimage.drop_working_tables() %}
  {{ run_hooks(post_hooks) }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}
