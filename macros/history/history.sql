{#
  SCD2 history: one row per version of a key.

  In:  changes, the ref() of a change log.
  Out: as a model of its own, a view of the contract's columns, valid_from, valid_to, is_current and the _cdc_ columns.
  Beside it stands <model>__log, to which each run appends what the new changes make of the touched keys; the view finds the intervals.
  Nothing is ever rewritten: a late change appends the rows after it again under a higher batch, and the view takes the highest
  (docs/decisions/0003-history.md).

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
  {% set progress = afterimage.progress(changes, afterimage.history_log_so_far(this, changes, contract)) %}
  {% set available = progress['available'] if progress is not none else afterimage.whole_batches(changes) or 0 %}
  {% set made_of = afterimage.made_of_changes(changes, contract) if afterimage.is_there(changes) else '' %}
  {{ return(afterimage.through_note(available, made_of) ~ '\n' ~ afterimage.versions(changes, contract, progress)) }}
{% endmacro %}


{# The whole way from changes to intervals as one select; for unit tests and for a current state without history. #}
{% macro versions_with_intervals(changes, contract, progress=none) -%}
with

history_log as (
{{ afterimage.versions(changes, contract, progress) | indent(4, true) }}
),

{{ afterimage.intervals('history_log', contract) }}
{%- endmacro %}
