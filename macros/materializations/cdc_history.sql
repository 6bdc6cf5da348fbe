{#
  Writes a history. Steps, each safe to repeat after a crash at any statement:

    0. <model>__batch      an empty lock table that keeps other runs out while it exists
    1. <model>__log        created; for a rebuild (another change log, an added column, an interrupted first append)
                           the other of two (see log_of)
    2. property `begun`    the number of the append
    3. <model>__log        + the versions that the new changes create or end
    4. properties          `applied`, the last processed batch of the change log, and `append`
    5. <model>             the view over the log through that append: only then do readers see it, all at once
    6. <model>__log        the former one is dropped after a rebuild

  An interrupted append is not visible while its number is the highest; the next one has a higher number and replaces
  all of it, because it processes the same changes and more.
#}
{% materialization cdc_history, adapter='spark' %}
  {% do afterimage.refuse_unsupported_config() %}
  {% set contract = afterimage.contract_of_model(model) %}
  {% set view = this.incorporate(type='view') %}
  {% set log_columns = afterimage.layer_columns(contract, afterimage.history_log_columns()) %}
  {% set changes = ref(model.refs[0].name) %}

  {% do afterimage.begin_run(sql, 'history', "    _cdc_kind = 'version'") %}
  {% do afterimage.check_format(afterimage.log_of(this), afterimage.file_format_of()) %}

  {{ run_hooks(pre_hooks) }}

  {# what this run has written for it needs no check #}
  {% set so_far = none if afterimage.relation_name(changes) in afterimage.run_memory('batches') else afterimage.history_log_so_far(this, changes, contract) %}
  {% set may_write = so_far is none or afterimage.whole_batches(changes) | int > afterimage.table_properties(so_far).get('applied', 0) | int %}
  {% if may_write %}
    {% do afterimage.acquire_lock(afterimage.companion_table(this, 'batch'), [{'sql': '_cdc_key', 'type': 'string'}], afterimage.file_format_of()) %}
    {# another run may have written since this one looked #}
    {% do afterimage.forget_properties(changes) %}
    {% do afterimage.forget_properties(afterimage.log_of(this)) %}
    {% set so_far = afterimage.history_log_so_far(this, changes, contract) %}
  {% endif %}
  {% set made_of = afterimage.made_of_changes(changes, contract) %}
  {% set available = afterimage.whole_batches(changes) | int %}
  {# readers keep the former log until the view is replaced #}
  {% set log = afterimage.log_to_rebuild(this) if so_far is none else so_far %}
  {% do afterimage.ensure_table(log, log_columns, afterimage.file_format_of(), [], {'generation': invocation_id, 'made_of': made_of}) %}
  {% set known = afterimage.table_properties(log) %}
  {% set applied, through = known.get('applied', 0) | int, known.get('append', 0) | int %}

  {% if available > applied %}
    {% set progress = afterimage.progress(changes, applied, available) if so_far is not none else none %}
    {% set through = [through, known.get('begun', 0) | int] | max + 1 %}
    {% set append -%}
insert into {{ log }} (
    {{ afterimage.column_names(log_columns) }}
)
select
    versions.*,
    cast({{ through }} as bigint) as _cdc_append
from (
{{ afterimage.versions(changes, contract, progress) }}
) as versions
    {%- endset %}
    {% do afterimage.set_table_properties(log, {'begun': through}) %}
    {% do afterimage.carry_out_fold('append the versions that new changes make or end', append) %}
    {% set new_state = {'applied': available, 'append': through} %}
    {% if so_far is none %}
      {% do new_state.update({'clean': through, 'replaced': 0}) %}
    {% elif 'replaced' in known %}
      {# of this append, and of interrupted ones before it #}
      {% set found = afterimage.ask('count the versions that this replaces', 'select count(*) from ' ~ log ~ ' where _cdc_append > ' ~ known['append'] ~ ' and _cdc_replaces_from is not null').rows[0][0] %}
      {% do new_state.update({'replaced': known['replaced'] | int + found}) %}
    {% endif %}
    {% do afterimage.set_table_properties(log, new_state) %}
    {% do afterimage.run_memory('batches').update({afterimage.relation_name(log): {'number': through}}) %}
    {% do afterimage.say(model.name ~ ': processed batches ' ~ (applied + 1) ~ ' to ' ~ available
                         ~ ', computed ' ~ ('all keys, from the beginning' if progress is none else 'all keys, because a change of all rows is among the new ones'
                                           if progress['oldest_truncate'] else 'the keys with new changes')) %}
  {% else %}
    {% do afterimage.say(model.name ~ ': nothing new') %}
  {% endif %}

  {% set view_sql = afterimage._view_of_history(log, contract) %}
  {% if available <= applied and not afterimage.is_view_of(view, view_sql) %}
    {# no lock is held: the view must not regress behind what another run has appended meanwhile #}
    {% do afterimage.forget_properties(log) %}
    {% do afterimage.forget_properties(view) %}
    {% set view_sql = afterimage._view_of_history(log, contract) %}
  {% endif %}
  {% set through = afterimage.table_properties(log).get('append', 0) | int %}
  {% do afterimage.enforce_contract(view_sql) %}
  {% do afterimage.ensure_view(view, view_sql, afterimage.layer_columns(contract, afterimage.history_columns()) | map(attribute='name'), {'append': through, 'log': log.identifier}, available > applied) %}
  {% if may_write %}{% do afterimage.drop_former_log(this, log) %}{% endif %}
  {% do afterimage.drop_working_tables() %}

  {{ run_hooks(post_hooks) }}
  {{ return({'relations': [view]}) }}
{% endmaterialization %}


{# The view of a history: a select over its log through the last complete append. #}
{% macro _view_of_history(log, contract) -%}
{% set known = afterimage.table_properties(log) -%}
-- history of {{ contract['source_name'] }}.{{ contract['table_name'] }}, made by afterimage.history over {{ log }}
{{ afterimage.active_versions(log, contract, known.get('append', 0) | int, [], afterimage.replaced_in_log(known)) }}
{%- endmacro %}
