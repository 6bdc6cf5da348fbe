{#
  CTE `refreshed`: the timeline rows of a history, each version with the newest values of its untracked columns (contract: untracked).

  A change of untracked columns alone is a timeline row (kind refresh) but no version: the version before it goes on, and shows the values of
  the last such change within it.
  In:  CTE of timeline rows (see keyed_timeline); fold, see fold_rules. Out: its columns.
#}
{% macro refreshed(places, fold) -%}
  {% set columns = [] -%}
  {% for column in fold['columns'] if column['name'] in fold['contract']['untracked'] %}{% do columns.append(column['sql']) %}{% endfor -%}
  {% do columns.extend(['_cdc_unknown', '_cdc_special']) -%}
numbered as (
    select
        *,
        count_if(_cdc_kind in ('version', 'end')) over (
            partition by _cdc_key order by _cdc_order rows between unbounded preceding and current row
        ) as _cdc_version_number
    from {{ places }}
),

refreshed as (
    select
        * except ({{ columns | join(', ') }}),
        {%- for column in columns %}
        last({{ column }}) over (
            partition by _cdc_key, _cdc_version_number, _cdc_kind = 'void' order by _cdc_order rows between unbounded preceding and unbounded following
        ) as {{ column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from numbered
),
{%- endmacro %}
