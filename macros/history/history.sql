{#
  SCD2 history: one row per version of a key.

  In:  changes, the ref() of a change log.
  Out: as a model of its own, a view of the contract's columns, valid_from, valid_to, is_current and the _cdc_ columns.
  Beside it stands <model>__log, to which each run appends the versions that the new changes make or end; the view leaves out what they replace.
  Nothing is ever rewritten: a late change appends the versions after it again (docs/decisions/0003-history.md).

      {{ afterimage.history(ref('stg_shop__orders')) }}
#}
{% macro history(changes) %}
  {{ config(materialized='cdc_history') }}
  {% if not execute %}{{ return('') }}{% endif %}
  {% set contract = afterimage.contract_of_model(model) %}
  {% if model.resource_type != 'model' %}
    {# a unit test sees the history itself, made of the given changes in one step #}
    {{ return(afterimage.versions_with_intervals(changes, contract)) }}
  {% endif %}
  {% set so_far = afterimage.history_log_so_far(this, changes, contract) %}
  {% set progress = afterimage.progress(changes, so_far) %}
  {% set available = progress['available'] if progress is not none else afterimage.whole_batches(changes) or 0 %}
  {% set made_of = afterimage.made_of_changes(changes, contract) if afterimage.is_there(changes) else '' %}
  {{ return(afterimage.through_note(available, made_of) ~ afterimage.onto_note(so_far) ~ afterimage.folds_note(progress) ~ '\n'
            ~ afterimage.versions(changes, contract, progress)) }}
{% endmacro %}


{# The line of a compiled history that says onto which append of which log its rows come. In: the log so far, or none. #}
{% macro onto_note(so_far) %}
  {{ return('\n-- onto append ' ~ (0 if so_far is none else afterimage.table_properties(so_far).get('append', 0) ~ ' of ' ~ afterimage.generation_of(so_far))) }}
{% endmacro %}


{# The line of a compiled history that says which keys it folds. In: progress, see there. #}
{% macro folds_note(progress) %}
  {{ return('\n-- folds ' ~ ('all keys, from the beginning' if progress is none else 'all keys, for a change of all rows is among the new ones'
            if progress['oldest_truncate'] else 'the keys with new changes')) }}
{% endmacro %}
