{#
  The rows a run appends to the log of a history: the versions of each touched key that reach to its first new change or beyond it,
  with the intervals they have now.

  In:  changes (relation or CTE of a change log); contract; progress (see progress()): none folds everything.
  Out: contract columns and history_log_columns() without _cdc_append. The active versions of a key from _cdc_replaces_from on are replaced. The
       last row of each touched key (and copy) carries it, be it a version or (kind end, void or refresh) not. See active_versions.
#}
{% macro versions(changes, contract, progress=none) -%}
  {% if progress is not none and progress['pending'] == 0 -%}
-- nothing new since batch {{ progress['applied'] }}
select
    {%- for column in afterimage.layer_columns(contract, afterimage.history_log_columns()) if column['name'] != '_cdc_append' %}
    cast(null as {{ column['type'] }}) as {{ column['sql'] }}{{ ',' if not loop.last }}
    {%- endfor %}
where false
  {%- else -%}
{{ afterimage.bounded_timeline(changes, contract, progress) }}

select
    {{ afterimage.column_names(afterimage.contract_columns(contract)) }},
    {{ afterimage.columns_of_version() }},
    _cdc_kind,
    _cdc_next.the_order as _cdc_end_order,
    {{ 'if(_cdc_is_last, _cdc_first_order, null)' if progress is not none else 'cast(null as string)' }} as _cdc_replaces_from
from bounded
where
    _cdc_kind = 'version'{% if progress is not none %} and (_cdc_next is null or _cdc_next.the_order >= _cdc_first_order)
    or _cdc_is_last
    {%- endif %}
  {%- endif %}
{%- endmacro %}


{# The full history as one select, one row per version; for unit tests and for a current state without history. #}
{% macro versions_with_intervals(changes, contract) -%}
{{ afterimage.bounded_timeline(changes, contract, none) }}

select
    {{ afterimage.column_names(afterimage.contract_columns(contract)) }},
    {{ afterimage.columns_of_version() }}
from bounded
where _cdc_kind = 'version'
{%- endmacro %}


{#
  CTEs that end in `bounded` (see intervals): changes become timeline rows, and those become intervals. A comment in front lists the rules that
  hold, for readers of the SQL that ran. In: as versions().
#}
{% macro bounded_timeline(changes, contract, progress) -%}
{% set fold = afterimage.fold_rules(changes, contract) -%}
{{ fold['head'] }}
with

{{ afterimage.keyed_timeline(changes, fold, progress) if contract['key'] else afterimage.keyless_timeline(changes, fold, progress) }}
{{- afterimage.rules_after(fold, 'places') }}

{{ afterimage.intervals(fold['last']['places'], contract) }}
{%- endmacro %}
