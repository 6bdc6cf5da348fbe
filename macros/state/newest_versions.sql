{#
  The versions of each key by recency, as a select, including the newest of a key that is gone, as it was last.
  In: versions, a history (relation or CTE); wanted, list of SQL conditions. Out: its columns, _cdc_recency (1: the newest), and
  the columns about deletes (see current_columns).
#}
{% macro newest_versions(versions, wanted) -%}
select
    *,
    not is_current as _cdc_is_deleted,
    valid_to as _cdc_deleted_ts,
    row_number() over (partition by _cdc_key order by _cdc_order desc) as _cdc_recency
from {{ versions }}
{%- if wanted %}
where {{ wanted | join(' and ') }}
{%- endif %}
{%- endmacro %}
