{#
  SCD2 history: one row per version of a key.

  In:  changes, the ref() of a change log.
  Out: as a model of its own, a view of the contract's columns, valid_from, valid_to, is_current and the _cdc_ columns.
  Its companion table is <model>__log. Each run appends the versions that new changes make or end; the view leaves out what they replace.
  Nothing is ever rewritten: a late change appends the versions after it again (docs/decisions/0003-history.md). The compiled SQL shows how
  versions are made from a complete, unknown change log; the materialization leaves out what a run does not need.

      {{ afterimage.history(ref('stg_shop__orders')) }}
#}
{% macro history(changes) %}
  {{ config(materialized='cdc_history') }}
  {% if not execute %}{{ return('') }}{% endif %}
  {% set contract = afterimage.contract_of_model(model) %}
  {# a unit test reads the history itself, made from the given changes in one step #}
  {% set versions = afterimage.versions(changes, contract) if model.resource_type == 'model' else afterimage.versions_with_intervals(changes, contract) %}
  {{ return('-- history of ' ~ contract['source_name'] ~ '.' ~ contract['table_name'] ~ ', made by afterimage.history\n' ~ afterimage.laid_out(versions)) }}
{% endmacro %}
