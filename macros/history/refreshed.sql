{#
  CTE `refreshed`: the places of a history log, each version with the newest values of its untracked columns (contract: untracked).

  A change of untracked columns alone is a place of its own in the log (kind refresh) and no version: the version before it goes on, and
  shows what the last such change within it says.
  In:  CTE `newest_word`; contract; stands (SQL), which of its rows hold. Out: its columns.
#}
{% macro refreshed(contract, stands) -%}
  {% set columns = [] -%}
  {% for column in afterimage.contract_columns(contract) if column['name'] in contract['untracked'] %}{% do columns.append(column['sql']) %}{% endfor -%}
  {% do columns.extend(['_cdc_unknown', '_cdc_special']) -%}
numbered as (
    select
        *,
        count_if(_cdc_kind <> 'refresh') over (
            partition by _cdc_key order by _cdc_order rows between unbounded preceding and current row
        ) as _cdc_version_number
    from newest_word
    where {{ stands }}
),

refreshed as (
    select
        * except ({{ columns | join(', ') }}),
        {%- for column in columns %}
        last({{ column }}) over (
            partition by _cdc_key, _cdc_version_number order by _cdc_order rows between unbounded preceding and unbounded following
        ) as {{ column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from numbered
),
{%- endmacro %}
