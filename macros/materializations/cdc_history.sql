{#
  Writes a history. Steps, each safe to repeat after a crash at any statement:

    0. <model>__log        dropped when its change log was built anew or gained a column: it is folded anew
    1. <model>__log        + the rows the new changes make (the compiled SQL)
    2. property `applied`  the last batch of the change log that is in
    3. <model>             the view over the log; made again only when its SQL differs

  A run cut off between 1 and 2 (property `begun`) appends the same rows again; the view counts each place once, and what late changes
  have made void meanwhile is withdrawn. Two runs at once do the same to it, so nothing keeps them off each other.
#}
{% materialization cdc_history, adapter='spark' %}
  {% do afterimage.refuse_unsupported_config() %}
  {% set contract = afterimage.contract_of_model(model) %}
  {% set log = afterimage.beside(this, 'log') %}
  {% set view = this.incorporate(type='view') %}
  {% set log_columns = afterimage.layer_columns(contract, afterimage.history_log_columns()) %}
  {% set changes = ref(model.refs[0].name) %}

  {% do afterimage.check_format(log, config.get('file_format', 'parquet')) %}

  {{ run_hooks(pre_hooks) }}

  {% set made_of = afterimage.made_of_changes(changes, contract) %}
  {% set available = afterimage.told_through(sql, made_of) %}
  {% if should_full_refresh() %}
    {% do afterimage.drop_if_there(view) %}
  {% endif %}
  {% if afterimage.history_log_so_far(this, changes, contract) is none %}
    {% do afterimage.drop_if_there(log) %}
  {% endif %}
  {% do afterimage.ensure_table(log, log_columns, config.get('file_format', 'parquet'), [], {'generation': invocation_id, 'made_of': made_of}) %}
  {% set applied = afterimage.table_properties(log).get('applied', 0) | int %}

  {% if available > applied %}
    {% set append -%}
insert into {{ log }} (
    {{ afterimage.column_names(log_columns) }}
)
{{ sql }}
    {%- endset %}
    {% do afterimage.set_table_properties(log, {'begun': available}) %}
    {% do afterimage.with_settings('append', append, afterimage.light_planning()) %}
    {% do afterimage.set_table_properties(log, {'applied': available}) %}
    {% do afterimage.say(model.name ~ ': took in batches ' ~ (applied + 1) ~ ' to ' ~ available) %}
  {% else %}
    {% do afterimage.say(model.name ~ ': nothing new') %}
  {% endif %}

  {% set view_sql -%}
-- history of {{ contract['source_name'] }}.{{ contract['table_name'] }}, made by afterimage.history over {{ log }}
with

{{ afterimage.intervals(log, contract) }}
  {%- endset %}
  {% do afterimage.enforce_contract(view_sql) %}
  {% do afterimage.ensure_view(view, view_sql) %}

  {{ run_hooks(post_hooks) }}
  {{ return({'relations': [view]}) }}
{% endmaterialization %}
