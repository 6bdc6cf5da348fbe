{#
  A history log -> the history: the newest word on each place, then each version's interval from the place that follows it.
  In: log (relation or CTE of history_log_columns()), contract. Out: CTEs and a select of contract columns and history_columns().

  The windows are written out: in a view kept by Iceberg, Spark does not find a window by name.
  valid_from is source time made monotone along the position: a source clock that steps back makes no negative interval.
#}
{% macro intervals(log, contract) -%}
  {% set untracked = contract['untracked'] -%}
  {% set stands = "(_cdc_previous_order is null or _cdc_previous_order <> _cdc_order) and _cdc_kind <> 'void'" -%}
  {% set line = '_cdc_key' if contract['key'] else '_cdc_key, _cdc_copy' -%}
newest_word as (
    -- a place written again by a later run (a late change, or a run repeated after a crash) counts once, by its highest batch
    select
        *,
        lag(_cdc_order) over (partition by _cdc_key order by _cdc_order, _cdc_batch desc) as _cdc_previous_order
    from {{ log }}
),
{% if untracked %}
{{ afterimage.refreshed(contract, stands) }}
{% endif %}
places as (
    select
        *,
        max(_cdc_source_ts) over (
            partition by {{ line }} order by _cdc_order rows between unbounded preceding and current row
        ) as _cdc_place_ts,
        -- why what stood before this place ended; a create with no move and no delete before it: the delete was not delivered
        case
            when _cdc_kind = 'end' then _cdc_end_reason
            when _cdc_op <> 'c' then 'update'
            when _cdc_previous_key is not null then 'key change'
            else 'delete'
        end as _cdc_ends_before
    from {{ 'refreshed' if untracked else 'newest_word' }}
    {%- if untracked %}
    where _cdc_kind <> 'refresh'
    {%- else %}
    where {{ stands }}
    {%- endif %}
),

bounded as (
    select
        *,
        lead(_cdc_place_ts) over (partition by {{ line }} order by _cdc_order) as _cdc_next_ts,
        lead(_cdc_position) over (partition by {{ line }} order by _cdc_order) as _cdc_next_position,
        lead(_cdc_ends_before) over (partition by {{ line }} order by _cdc_order) as _cdc_next_reason
    from places
)

select
    {%- for column in afterimage.contract_columns(contract) %}
    {{ column['sql'] }},
    {%- endfor %}
    _cdc_place_ts as valid_from,
    _cdc_next_ts as valid_to,
    _cdc_next_position is null as is_current,
    _cdc_op,
    _cdc_key,
    _cdc_copy,
    _cdc_previous_key,
    _cdc_position,
    _cdc_order,
    _cdc_next_position as _cdc_end_position,
    _cdc_next_reason as _cdc_end_reason,
    _cdc_event_id,
    _cdc_source_ts,
    _cdc_source_ts_ns,
    _cdc_processed_ts,
    _cdc_landed_ts,
    _cdc_tx_id,
    _cdc_tx_order,
    _cdc_snapshot,
    _cdc_unknown,
    _cdc_special,
    _cdc_batch
from bounded
where _cdc_kind = 'version'
{%- endmacro %}
