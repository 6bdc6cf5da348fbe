{#
  CTEs that end in `bounded`: the timeline rows, each with the next timeline row, where its values end.

  In:  CTE of timeline rows (see keyed_timeline, keyless_timeline); contract. Out: its columns and
    _cdc_place_ts  source time made monotone along the position: a source clock that steps back makes no negative interval
    _cdc_next      the next version or end, null while open: struct of the_order, position, source_ts, reason
    _cdc_is_last   no timeline row of any kind follows
#}
{% macro intervals(places, contract) -%}
  {% set line = '_cdc_key' if contract['key'] else '_cdc_key, _cdc_copy' -%}
explained as (
    select
        *,
        -- why the preceding version ended; a create without a key change or delete before it means that the delete was not delivered
        case
            when _cdc_kind = 'end' then _cdc_end_reason
            when _cdc_op <> 'c' then 'update'
            when _cdc_previous_key is not null then 'key change'
            else 'delete'
        end as _cdc_ends_before
    from {{ places }}
),

bounded as (
    select
        *,
        max(if(_cdc_kind in ('version', 'end'), _cdc_source_ts, null)) over (
            partition by {{ line }} order by _cdc_order rows between unbounded preceding and current row
        ) as _cdc_place_ts,
        lead(if(
            _cdc_kind in ('version', 'end'),
            named_struct('the_order', _cdc_order, 'position', _cdc_position, 'source_ts', _cdc_source_ts, 'reason', _cdc_ends_before),
            null
        )) ignore nulls over in_order as _cdc_next,
        lead(_cdc_kind) over in_order is null as _cdc_is_last
    from explained
    window in_order as (partition by {{ line }} order by _cdc_order)
)
{%- endmacro %}


{# The columns of a version from valid_from on, in the order of history_columns(), from `bounded`. #}
{% macro columns_of_version() %}
  {% set computed = {'valid_from': '_cdc_place_ts', 'valid_to': 'if(_cdc_next is null, null, greatest(_cdc_place_ts, _cdc_next.source_ts))', 'is_current': '_cdc_next is null', '_cdc_end_position': '_cdc_next.position',
                 '_cdc_end_reason': '_cdc_next.reason'} %}
  {% set parts = [] %}
  {% for name in afterimage.history_columns() %}{% do parts.append(computed[name] ~ ' as ' ~ name if name in computed else name) %}{% endfor %}
  {{ return(parts | join(',\n    ')) }}
{% endmacro %}
