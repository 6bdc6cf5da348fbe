{#
  Current state: one row per live row of the source.

  In:  versions, the ref() of a history, or of a change log where no history is kept; the result is the same.
  Out: as a model of its own, a table of the contract's columns and the _cdc_ columns (on Parquet, which has no MERGE, a view over
       <model>__log). The compiled SQL shows the full state; the materialization computes it for the keys that new changes touched, and replaces
       their rows (docs/decisions/0004-current.md).

      {{ afterimage.current_state(ref('hist_shop__orders')) }}
#}
{% macro current_state(versions) %}
  {{ config(materialized='cdc_current') }}
  {% if not execute %}{{ return('') }}{% endif %}
  {% set contract = afterimage.contract_of_model(model) %}
  {% set is_of_changes = model.resource_type == 'model' and afterimage.reads_change_log(model) %}
  {% set history = afterimage.versions_with_intervals(versions, contract) if is_of_changes else 'select * from ' ~ versions %}
  {{ return(afterimage.laid_out(afterimage.state_of(history, contract))) }}
{% endmacro %}


{#
  The rows of a current state that a run computes, as a select: one per live row of a touched key. In: versions (relation), contract; available,
  how much of them the run reads; touched, see touched_state.
#}
{% macro state_of_touched(versions, contract, available, touched) %}
  {% if afterimage.reads_change_log(model) %}{{ return(afterimage.state_of(afterimage.versions_with_intervals(versions, contract), contract)) }}{% endif %}
  {% set log, wanted, since = afterimage.log_of_versions(versions), [], 0 %}
  {% if touched is not none and afterimage.keeps_deleted(contract) %}
    {% do wanted.append('_cdc_key in (select _cdc_key from ' ~ log ~ ' where ' ~ afterimage.is_touched(touched) ~ ')') %}
  {% elif touched is not none %}
    {# an append holds the open version of each key it touches #}
    {% set since = touched['applied'] %}
  {% endif %}
  {% set history = afterimage.active_versions(log, contract, available, [], afterimage.replaced_in_history(versions), since) %}
  {{ return(afterimage.state_of(history, contract, wanted)) }}
{% endmacro %}


{#
  The live rows, or where deleted rows are kept the newest version of each row, as a select. In: history, a select of versions; contract; wanted,
  a list of conditions.
#}
{% macro state_of(history, contract, wanted=[]) -%}
  {% set columns = afterimage.layer_columns(contract, afterimage.current_columns(contract)) -%}
-- current state of {{ contract['source_name'] }}.{{ contract['table_name'] }}, made by afterimage.current_state
with

history as (
{{ history | indent(4, true) }}
){{ ',' if afterimage.keeps_deleted(contract) }}
  {%- if afterimage.keeps_deleted(contract) %}

newest_versions as (
{{ afterimage.newest_versions('history', wanted) | indent(4, true) }}
)
  {%- endif %}

select
    {{ afterimage.column_names(columns) }}
  {%- if afterimage.keeps_deleted(contract) %}
from newest_versions
where _cdc_recency = 1
  {%- else %}
from history
where
    {{ (wanted + ['is_current']) | join('\n    and ') }}
  {%- endif %}
{%- endmacro %}


{# True when a model's only ref() is a change log (and not a history). #}
{% macro reads_change_log(node) %}
  {% for candidate in graph.get('nodes', {}).values() %}
    {% if candidate.resource_type == 'model' and candidate.name == node.refs[0].name %}
      {{ return(candidate.config.materialized == 'cdc_change_log') }}
    {% endif %}
  {% endfor %}
  {{ return(false) }}
{% endmacro %}


{# The table a current state is made from: the log of a history, or a change log. #}
{% macro log_of_versions(versions) %}
  {{ return(versions if afterimage.reads_change_log(model) else afterimage.log_of(versions)) }}
{% endmacro %}


{# The last batch of the change log a current state is made from, or the last append of the history; 0 where nothing exists yet (unit tests). #}
{% macro available_state(versions) %}
  {% set log = afterimage.log_of_versions(versions) %}
  {% if not afterimage.is_model_run() or not afterimage.is_there(log) %}{{ return(0) }}{% endif %}
  {{ return(afterimage.table_properties(log).get('batch' if afterimage.reads_change_log(model) else 'append', 0) | int) }}
{% endmacro %}


{#
  The part of a current state that a run has to replace.
  In:  built (see current_state_so_far); available, the last append that the run reads.
  Out: none for everything (first run, also one that was cut off; full refresh, unit test, or a state fed from a change log), else
    {applied, available}.
#}
{% macro touched_state(built, available) %}
  {% if built is none or afterimage.reads_change_log(model) %}{{ return(none) }}{% endif %}
  {% set applied = afterimage.table_properties(built).get('applied', 0) | int %}
  {{ return({'applied': applied, 'available': available} if applied else none) }}
{% endmacro %}


{# SQL condition for the rows of a history's log that a run of a current state reads: no more than existed when it looked. #}
{% macro is_touched(touched) %}
  {{ return('_cdc_append > ' ~ touched['applied'] ~ ' and _cdc_append <= ' ~ touched['available']) }}
{% endmacro %}


{# The table that stores a current state's rows: the model itself, or where the format has no MERGE a log, over which the model is a view. #}
{% macro kept_state(this) %}
  {{ return(this.incorporate(type='table') if afterimage.table_format(afterimage.file_format_of())['merge'] else afterimage.log_of(this)) }}
{% endmacro %}


{#
  The table of a current state (see kept_state) that a run continues: none when there is none yet, when it was made from versions that are no
  longer the same, or when later versions were removed by maintenance. The table is then rewritten in full.
#}
{% macro current_state_so_far(this, versions) %}
  {% set built = afterimage.kept_state(this) %}
  {% if not afterimage.is_model_run() or should_full_refresh() or not afterimage.is_there(built) %}{{ return(none) }}{% endif %}
  {% set known = afterimage.table_properties(built) %}
  {% if known.get('applied', 0) | int < afterimage.compacted_through(versions) %}{{ return(none) }}{% endif %}
  {{ return(built if afterimage.is_made_of(built, afterimage.made_of_versions(versions)) else none) }}
{% endmacro %}


{# The append through which replaced versions are removed from a history's log (see maintain): a reader that is behind it can no longer see them. #}
{% macro compacted_through(versions) %}
  {{ return(0 if afterimage.reads_change_log(model) else afterimage.table_properties(afterimage.log_of_versions(versions)).get('settled', 0) | int) }}
{% endmacro %}


{# The known extent of replaced versions of a history, see replaced_in_log. #}
{% macro replaced_in_history(versions) %}
  {% set log = afterimage.log_of_versions(versions) %}
  {{ return(afterimage.replaced_in_log(afterimage.table_properties(log) if afterimage.is_there(log) else {})) }}
{% endmacro %}


{# Raises when the history was maintained since: the rows that were read may lack replaced versions, and with them keys that are gone. #}
{% macro refuse_compacted(versions, settled) %}
  {% do afterimage.forget_properties(afterimage.log_of_versions(versions)) %}
  {% if afterimage.compacted_through(versions) != settled %}
    {% do exceptions.raise_compiler_error('[afterimage] ' ~ model.name ~ ': its history was maintained while this run read it. Run it again: it is then rebuilt.') %}
  {% endif %}
{% endmacro %}


{# The text a current state stores about its inputs: the generation of the history's log (or change log), and whether it shows deleted rows. #}
{% macro made_of_versions(versions) %}
  {% set contract = afterimage.contract_of_model(model) %}
  {% set made_of = afterimage.made_of_changes(versions, contract) if afterimage.reads_change_log(model) else afterimage.generation_of(afterimage.log_of(versions)) %}
  {{ return(made_of ~ (', deleted rows too' if afterimage.keeps_deleted(contract) else '')) }}
{% endmacro %}
