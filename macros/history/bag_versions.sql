{#
  versions() of a table without a key (a bag): equal rows share a key text and are told apart by count.
  An insert adds a copy of its image, a delete takes one away, an update does both. The n-th copy of a row is its own line of versions.
  Needs whole before images (REPLICA IDENTITY FULL): with less, an update or delete does not say which row it means.
#}
{% macro bag_versions(changes, contract, progress) -%}
  {% set columns = afterimage.contract_columns(contract) -%}
  {% if contract['replica_identity'] != 'full' %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': ' ~ contract['source_name'] ~ '.' ~ contract['table_name'] ~ ' has no key and its replica_identity is '
      ~ contract['replica_identity'] ~ ': updates and deletes do not say which row they mean, so there is no history and no current state. '
      ~ 'Keep the change log alone, or set REPLICA IDENTITY FULL at the source and say replica_identity: full in ' ~ contract['origin'] ~ '.') %}
  {% endif -%}
with

{{ afterimage.touched_keys(changes, contract, progress) }}

steps as (
    -- what a change takes away comes before what it adds
    select *, _cdc_key as row_key, 1 as step, concat(_cdc_order, '.1') as step_order
    from changes
    where _cdc_op in ('c', 'r', 'u')
    union all
    select *, if(_cdc_op = 'u', _cdc_previous_key, _cdc_key) as row_key, -1 as step, concat(_cdc_order, '.0') as step_order
    from changes
    where _cdc_op in ('u', 'd')
),

touched_steps as (
    select
        steps.*,
        {{ 'touched.first_order' if progress is not none else "''" }} as first_order,
        size(filter(truncates.events, t -> t.position_order < steps._cdc_order)) as truncates_before
    from steps
    {%- if progress is not none %}
    inner join touched on steps.row_key = touched._cdc_key
    {%- endif %}
    cross join truncates
),

counted as (
    select
        *,
        sum(step) over (partition by row_key, truncates_before order by step_order rows between unbounded preceding and current row) as copies,
        lead(step_order) over (partition by row_key, truncates_before order by step_order) is null as is_last
    from touched_steps
),

log_rows as (
    select
        {%- for column in columns %}
        if(step = 1, {{ column['sql'] }}, null) as {{ column['sql'] }},
        {%- endfor %}
        if(step = 1, 'version', 'end') as _cdc_kind,
        case when step = -1 then if(_cdc_op = 'u', 'update', 'delete') end as _cdc_end_reason,
        {{ afterimage._log_columns_of_change('if(step = 1, copies, copies + 1)')
           | replace('_cdc_key,', 'row_key as _cdc_key,') | replace('_cdc_order,', 'step_order as _cdc_order,')
           | replace('_cdc_previous_key,', 'cast(null as string) as _cdc_previous_key,') }},
        first_order,
        false as is_late
    from counted
    union all
    select
        {%- for column in columns %}
        null,
        {%- endfor %}
        'end',
        'truncate',
        't',
        row_key,
        copy,
        null,
        by_truncate.position,
        concat(by_truncate.position_order, '.', lpad(cast(copy as string), 10, '0')),
        by_truncate.event_id,
        by_truncate.source_ts,
        by_truncate.source_ts_ns,
        by_truncate.processed_ts,
        by_truncate.landed_ts,
        by_truncate.tx_id,
        by_truncate.tx_order,
        'none',
        null,
        null,
        greatest(_cdc_batch, by_truncate.batch),
        first_order,
        false
    from (
        select
            counted.*,
            get(truncates.events, counted.truncates_before) as by_truncate
        from counted
        cross join truncates
        where counted.is_last and counted.copies > 0 and counted.truncates_before < size(truncates.events)
    ) as cut_off
        lateral view explode(sequence(1L, copies)) as copy
)

{{ afterimage._written_log_rows(contract, progress) }}
{%- endmacro %}
