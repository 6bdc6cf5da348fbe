{#
  Writes a current state. Steps, each safe to repeat after a crash at any statement:

    0. <model>__batch      an empty lock table that keeps other runs out while it exists
    1. <model>, __log      created; for a rebuild the other of two logs (see log_of), or a table whose definition has
                           changed is dropped
    2. <model>             the rows of the touched keys (the live ones or, with deletes: flag, the newest) replace the
                           existing ones: by one MERGE, or for a rebuild all rows in one commit; a format without
                           MERGE: __log + those rows (see append_state)
    3. property `applied`  how much of the history is processed; of a log also which of its appends count
    4. <model>             of a log, the view over it: only then do readers see the rows, all at once
    5. __log               - the appends that no view reads; after a rebuild the former log

  The result of MERGE depends on the history alone, so repeating it changes nothing; an interrupted append is not
  visible, and is written again.
#}
{% materialization cdc_current, adapter='spark' %}
  {% do afterimage.refuse_unsupported_config() %}
  {% do afterimage.replaced_share() %}
  {% set contract = afterimage.contract_of_model(model) %}
  {% set file_format = afterimage.file_format_of() %}
  {% set can_merge = afterimage.table_format(file_format)['merge'] %}
  {% set versions = ref(model.refs[0].name) %}
  {% set target = this.incorporate(type='table' if can_merge else 'view') %}
  {% set columns = afterimage.layer_columns(contract, afterimage.current_columns(contract)) %}

  {% do afterimage.begin_run(sql, 'current_state', 'where _cdc_recency = 1' if afterimage.keeps_deleted(contract) else '    is_current') %}
  {% do afterimage.check_format(target, file_format) %}
  {% if not can_merge %}{% do afterimage.check_format(afterimage.kept_state(this), file_format) %}{% endif %}

  {{ run_hooks(pre_hooks) }}

  {# what this run has written for it needs no check #}
  {% set built = none if afterimage.relation_name(afterimage.log_of_versions(versions)) in afterimage.run_memory('batches') else afterimage.current_state_so_far(this, versions) %}
  {% set may_write = built is none or afterimage.available_state(versions) > afterimage.table_properties(built).get('applied', 0) | int %}
  {% if may_write %}
    {% do afterimage.acquire_lock(afterimage.companion_table(this, 'batch'), columns | selectattr('name', 'equalto', '_cdc_key') | list, file_format) %}
    {# another run may have written since this one looked #}
    {% do afterimage.forget_properties(afterimage.log_of_versions(versions)) %}
    {% do afterimage.forget_properties(afterimage.kept_state(this)) %}
    {% set built = afterimage.current_state_so_far(this, versions) %}
  {% endif %}
  {% set made_of = afterimage.made_of_versions(versions) %}
  {% set settled = afterimage.compacted_through(versions) %}
  {% set available = afterimage.available_state(versions) %}
  {% set touched = afterimage.touched_state(built, available) %}
  {% set kept_columns = columns if can_merge else afterimage.layer_columns(contract, afterimage.state_log_columns(contract)) %}
  {% set kept = afterimage.kept_state(this) %}
  {% set partition_by, format_properties = [] if can_merge else ['cdc_append'], afterimage.table_format(file_format)['merged_in_place'] %}
  {# readers keep the former rows until all are replaced in one commit #}
  {% set is_replaced = built is none and can_merge and afterimage.is_made_as(kept, kept_columns, file_format, partition_by, format_properties) %}
  {% if built is none and not can_merge %}
    {% set kept = afterimage.log_to_rebuild(this) %}
  {% elif built is none and not is_replaced %}
    {% do afterimage.drop_if_there(target, afterimage.existing_view(target)) %}
    {% do afterimage.run_memory('views').pop(target.include(identifier=false) | string, none) %}
  {% endif %}
  {% set is_new = afterimage.ensure_table(kept, kept_columns, file_format, partition_by, {'made_of': made_of}, format_properties) %}
  {% set known = afterimage.table_properties(kept) if not is_replaced else {} %}

  {% if available <= known.get('applied', 0) | int and not is_replaced %}
    {% do afterimage.say(model.name ~ ': nothing new') %}
    {% if can_merge %}{% do afterimage.nothing_to_do('nothing new') %}{% endif %}
  {% else %}
    {% set state = afterimage.state_of_touched(versions, contract, available, touched) %}
    {% do afterimage.enforce_contract(state) %}
    {% set stored = {'applied': available, 'made_of': made_of} if is_replaced else {'applied': available} %}
    {% if not can_merge %}
      {% do stored.update(afterimage.append_state(kept, state, columns, touched, versions, known)) %}
    {% else %}
      {% set write = afterimage.fill_state(kept, state, columns, is_replaced) if is_new or is_replaced else afterimage.merge_state(kept, state, columns, touched, versions, contract) %}
      {% do afterimage.carry_out_fold('write the rows of the touched keys', write, 'main') %}
    {% endif %}
    {% do afterimage.refuse_compacted(versions, settled) %}
    {% do afterimage.set_table_properties(kept, stored) %}
    {% do afterimage.say(model.name ~ ': ' ~ ('filled' if is_new or is_replaced else 'merged' if can_merge else 'rewritten' if stored['whole'] == stored['append'] else 'appended')
                         ~ ', read through ' ~ ('batch ' if afterimage.reads_change_log(model) else 'append ') ~ available) %}
  {% endif %}

  {% if not can_merge %}
    {% set view_sql = afterimage._view_of_state(kept, columns, contract) %}
    {% if available <= known.get('applied', 0) | int and not afterimage.is_view_of(target, view_sql) %}
      {# no lock is held: the view must not regress behind what another run has appended meanwhile #}
      {% do afterimage.forget_properties(kept) %}
      {% do afterimage.forget_properties(target) %}
      {% set view_sql = afterimage._view_of_state(kept, columns, contract) %}
    {% endif %}
    {% set append = afterimage.table_properties(kept).get('append', 0) | int %}
    {% do afterimage.ensure_view(target, view_sql, columns | map(attribute='name'), {'append': append, 'log': kept.identifier}, available > known.get('applied', 0) | int) %}
    {% if available > known.get('applied', 0) | int %}{% do afterimage.drop_unread_appends(kept, known) %}{% endif %}
  {% endif %}
  {% if may_write %}{% do afterimage.drop_former_log(this, kept) %}{% endif %}
  {% do afterimage.drop_working_tables() %}

  {{ run_hooks(post_hooks) }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}


{# The view of a current state whose format has no MERGE: a select over its log through the last append that counts. #}
{% macro _view_of_state(kept, columns, contract) -%}
-- current state of {{ contract['source_name'] }}.{{ contract['table_name'] }}, made by afterimage.current_state over {{ kept }}
{{ afterimage.active_rows(kept, columns, afterimage.state_appends(afterimage.table_properties(kept))) }}
{%- endmacro %}


{#
  Inserts rows into an empty table, or replaces all its rows (not by INSERT OVERWRITE, which keeps them if there are
  no new ones and the session's partitionOverwriteMode is DYNAMIC). In: target; state, a select; columns, in the
  table's order; is_replaced, whether the table has rows.
#}
{% macro fill_state(target, state, columns, is_replaced) %}
insert into {{ target }} {{ 'replace where true' if is_replaced else '(\n    ' ~ afterimage.column_names(columns) ~ '\n)' }}
select
    {{ afterimage.column_names(columns) }}
from (
{{ state }}
) as state
{%- endmacro %}
