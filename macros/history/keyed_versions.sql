{#
  versions() of a table with a key: the life of each key, read in the order of the log.
#}
{% macro keyed_versions(changes, contract, progress) -%}
  {% set columns = afterimage.contract_columns(contract) -%}
  {% set is_full = contract['replica_identity'] == 'full' -%}
  {% set fillable = afterimage.columns_ever_unknown(changes, contract) -%}
with

{{ afterimage.touched_keys(changes, contract, progress) }}

key_changes as (
    select{{ (' ' ~ afterimage.broadcast_hint('touched', progress['waiting'] if progress is not none and not progress['oldest_truncate'] else none)).rstrip() }}
        changes.*,
        {% if progress is not none -%}
        touched.first_order,
        changes._cdc_batch <= {{ progress['applied'] }} as is_applied,
        {%- else -%}
        '' as first_order,
        false as is_applied,
        {%- endif %}
        size(filter(truncates.events, t -> t.position_order < changes._cdc_order)) as truncates_before
    from changes
    {%- if progress is not none %}
    inner join touched on changes._cdc_key = touched._cdc_key
    {%- endif %}
    cross join truncates
    where changes._cdc_op <> 't'
),
{% if is_full %}
matched as (
    -- A shift or swap: the row that moves in is created before the row that moves out is deleted, so the delete ends not the newest
    -- row of the key but the one that equals its before image. The newest row, created in the same transaction, lives.
    select
        key_changes.*,
        coalesce(
            _cdc_op = 'd'
            and last(if(_cdc_op <> 'd', _cdc_image_hash, null), true) over before_it <> _cdc_image_hash
            and last(if(_cdc_op = 'c', _cdc_tx_id, null), true) over before_it = _cdc_tx_id,
            false
        ) as ends_other_row
    from key_changes
    window before_it as (partition by _cdc_key order by _cdc_order rows between unbounded preceding and 1 preceding)
),

effective as (
    select * from matched where not ends_other_row
),
{% else %}
effective as (
    select * from key_changes
),
{% endif %}
neighbours as (
    select
        *,
        lag(_cdc_op) over in_order as previous_op,
        lag(truncates_before) over in_order as previous_truncates,
        lead(truncates_before) over in_order as next_truncates,
        max(if(is_applied, _cdc_order, null)) over (partition by _cdc_key) >= first_order as is_late
    from effective
    window in_order as (partition by _cdc_key order by _cdc_order)
),

lives as (
    select
        *,
        sum(if(
            _cdc_op = 'c' or previous_op is null or previous_op = 'd' or previous_truncates <> truncates_before, 1, 0
        )) over (partition by _cdc_key order by _cdc_order rows between unbounded preceding and current row) as life
    from neighbours
),

{{ afterimage.carry_forward('lives', fillable, contract) }}

compared as (
    select
        *,
        {{ afterimage.image_hash(columns) }} as filled_hash,
        lag(life) over in_order as previous_life
    from carried
    window in_order as (partition by _cdc_key order by _cdc_order)
),

classified as (
    select
        *,
        case
            when _cdc_op = 'd' then 'end'
            when previous_life = life and lag(filled_hash) over (partition by _cdc_key order by _cdc_order) = filled_hash then 'void'
            else 'version'
        end as _cdc_kind
    from compared
),

log_rows as (
    select
        {%- for column in columns %}
        {{ column['sql'] }},
        {%- endfor %}
        _cdc_kind,
        if(_cdc_kind = 'end', if(_cdc_previous_key is null, 'delete', 'key change'), null) as _cdc_end_reason,
        {{ afterimage._log_columns_of_change() }},
        first_order,
        is_late
    from classified
    union all
    -- the row was there when the table was truncated
    select
        {%- for column in columns %}
        {{ 'null' if not column['is_key'] else column['sql'] }},
        {%- endfor %}
        'end',
        'truncate',
        't',
        _cdc_key,
        null,
        null,
        ended.by_truncate.position,
        ended.by_truncate.position_order,
        ended.by_truncate.event_id,
        ended.by_truncate.source_ts,
        ended.by_truncate.source_ts_ns,
        ended.by_truncate.processed_ts,
        ended.by_truncate.landed_ts,
        ended.by_truncate.tx_id,
        ended.by_truncate.tx_order,
        'none',
        null,
        null,
        greatest(_cdc_batch, ended.by_truncate.batch),
        first_order,
        is_late
    from (
        select
            classified.*,
            get(truncates.events, classified.truncates_before) as by_truncate
        from classified
        cross join truncates
        where
            classified._cdc_op <> 'd'
            and classified.truncates_before < size(truncates.events)
            and (classified.next_truncates is null or classified.next_truncates > classified.truncates_before)
    ) as ended
    {%- if is_full %}
    union all
    select
        {%- for column in columns %}
        {{ column['sql'] }},
        {%- endfor %}
        'void',
        null,
        {{ afterimage._log_columns_of_change() }},
        first_order,
        true
    from matched
    where ends_other_row
    {%- endif %}
)

{{ afterimage._written_log_rows(contract, progress) }}
{%- endmacro %}


{# The columns of a log row that are the change's own, in the order of history_log_columns(), from _cdc_op on. #}
{% macro _log_columns_of_change(copy='cast(null as bigint)') %}
  {{ return(
    '_cdc_op,\n        _cdc_key,\n        ' ~ copy ~ ' as _cdc_copy,\n        _cdc_previous_key,\n        _cdc_position,\n        _cdc_order,\n        _cdc_event_id,\n        '
    ~ '_cdc_source_ts,\n        _cdc_source_ts_ns,\n        _cdc_processed_ts,\n        _cdc_landed_ts,\n        _cdc_tx_id,\n        _cdc_tx_order,\n        '
    ~ '_cdc_snapshot,\n        _cdc_unknown,\n        _cdc_special,\n        _cdc_batch') }}
{% endmacro %}


{#
  The rows of `log_rows` a run appends: from the first new change of a key on; a withdrawn place only where something was written before.
  They carry the number of the run's last batch, so that they win over what stood at the same place.
#}
{% macro _written_log_rows(contract, progress) -%}
select
    {%- for column in afterimage.layer_columns(contract, afterimage.history_log_columns()) if column['name'] != '_cdc_batch' %}
    {{ column['sql'] }},
    {%- endfor %}
    {% if progress is not none -%}
    cast({{ progress['available'] }} as bigint) as _cdc_batch
    {%- else -%}
    _cdc_batch
    {%- endif %}
from log_rows
where _cdc_order >= first_order and (_cdc_kind <> 'void' or is_late)
{%- endmacro %}
