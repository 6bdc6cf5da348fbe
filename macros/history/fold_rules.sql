{#
  The rules that a table's fold follows, selected by what its contract allows and its change log has seen, so that a statement has no step it does
  not need.

  Each rule is a macro, and the last CTE it returns has the same name. In: the CTE it reads; the fold. Rules after the same step of the
  timeline read one another in the order of this list. (`truncates` comes after none: touched_keys returns it, and steps of the timeline read it.)

  In:  changes (relation or CTE of a change log); contract.
  Out: {contract, columns, connector, seen (see seen_in_log), unsent (names of columns some change did not send), moves (how many rows at most
       came from another key, none if not known), rules, last, head}
    rules  {name: {after, reads, holds, why}} of those that hold
    last   {step: the CTE that the rules after it end in, or the step}
    head   a comment, a line for each rule that holds
#}
{% macro fold_rules(changes, contract) %}
  {% set connector, seen, has_key = afterimage.connector(contract), afterimage.seen_in_log(changes), contract['key'] | length > 0 %}
  {% set is_document, is_paired = afterimage.is_document(contract), has_key and connector.get('tie_break') %}
  {% set superseded = connector['committed_after'] and seen['superseded'] %}
  {% set names = contract['columns'] | map(attribute='name') | reject('in', contract['key']) | list + (['_cdc_document'] if is_document else []) %}
  {% set unsent = names if seen['unknown'] is none else names | select('in', seen['unknown'] + (afterimage.late_columns_of(changes) | list)) | list %}
  {% set is_carried, are_unlinked = has_key and unsent and not is_document, has_key and unsent and afterimage.any_unlinked_key_change(changes, contract) %}
  {% set moves = none if seen['moves'] is none else seen['moves'] + (afterimage.unlinked_key_changes(changes) if are_unlinked else 0) %}
  {% set rules = {
    'moved_updates_parted': {'after': 'changes', 'holds': has_key and seen['moved_updates'],
      'why': 'an update may give a row another key, and is read as a delete and a create'},
    'key_change_pairs_linked': {'after': 'changes', 'holds': are_unlinked,
      'why': 'a key change may be a delete and a create that do not name each other, at one position'},
    'unsent_of_key_changes': {'after': 'changes', 'holds': has_key and moves != 0 and names and names | reject('in', unsent) | list == []
        and afterimage.may_tell_key_alone(connector, contract),
      'why': 'a key change may leave out what it did not set, and its delete tell the key alone'},
    'truncates': {'after': none, 'holds': seen['closings'] or not has_key,
      'why': 'a truncate, or a complete snapshot, may end many rows at once'},
    'snapshot_rows_placed': {'after': 'touched_changes', 'holds': has_key and superseded,
      'why': 'a snapshot row may be older than a change before it, committed after it was read'},
    'before_after_pairs_joined': {'after': 'touched_changes', 'holds': is_paired,
      'why': 'an update may be two records, of the row before it and the row after it'},
    'backfills_placed': {'after': 'touched_changes', 'holds': is_paired,
      'why': 'a row read by a backfill has no position, and may show what later changes made'},
    'closings_of_key': {'after': 'touched_changes', 'holds': seen['closings'] and has_key
        and (contract['truncate_empties'] == 'partition' or 'snapshot_complete' in afterimage.operator_state_of(changes)['kinds']),
      'why': 'a truncate of one partition, or a complete snapshot, ends some keys and not others'},
    'key_collisions': {'after': 'key_changes', 'holds': has_key and connector['allows_key_collisions'] and (connector['before_is_whole'] or seen['whole_before']),
      'why': 'two rows may hold one key within a transaction: whole before images tell them apart'},
    'key_moves_traced': {'after': 'lives', 'holds': is_carried and moves != 0,
      'why': 'a row may change its key, and keeps the values that are not sent with the change'},
    'carry_forward': {'after': 'lives', 'holds': is_carried,
      'why': 'a change may leave out values, which are filled in from the last known ones of the row'},
    'documents_carried': {'after': 'lives', 'holds': has_key and unsent and is_document,
      'why': 'an update may be only what it changes, and is made on the last known document'},
    'all_values_sent': {'after': 'lives', 'holds': has_key and not unsent,
      'why': 'no change leaves out a value of a column that the contract has'},
    'refreshed': {'after': 'places', 'holds': contract['untracked'],
      'why': 'a change of untracked columns alone makes no version'},
    'steps_behind_reads': {'after': 'touched_steps', 'holds': superseded and not has_key,
      'why': 'a snapshot does not count a change before it that was committed after it was read'},
  } %}
  {% set held, last, head = {}, {}, ['-- rules that hold, each a CTE of its name:'] %}
  {% for name, rule in rules.items() %}
    {% set reads = last.setdefault(rule['after'], rule['after']) %}
    {% if rule['holds'] %}
      {% do held.update({name: dict(rule, reads=reads)}) %}
      {% do last.update({rule['after']: name}) %}
      {% do head.append('-- ' ~ name ~ ': ' ~ rule['why']) %}
    {% endif %}
  {% endfor %}
  {{ return({'contract': contract, 'columns': afterimage.contract_columns(contract), 'connector': connector, 'seen': seen, 'unsent': unsent, 'moves': moves,
             'rules': held, 'last': last, 'head': head | join('\n')}) }}
{% endmacro %}


{# The CTEs of the rules that follow a step; the next step reads fold['last'][step]. In: fold; step. #}
{% macro rules_after(fold, step) %}
  {% set ctes = [] %}
  {% for name, rule in fold['rules'].items() if rule['after'] == step %}
    {% do ctes.append('\n\n' ~ context['afterimage'][name](rule['reads'], fold)) %}
  {% endfor %}
  {{ return(ctes | join) }}
{% endmacro %}
