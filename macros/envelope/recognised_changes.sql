{#
  CTE `recognised`: of each accepted row of a batch its event id and `copy`: 1 for the row that enters the change log, 2 for one that is
  there already (a redelivered change), 0 for one that landing itself holds twice at one coordinate, which is neither staged nor counted.
  Narrow: row images are not moved to find it out.

  In:  batch table; change_log table; stats, the row of counts of the accepted (outcome, kind, rows, distinct events, lowest and highest
       position); tells_apart, whether equal changes may lie at one place (without a transaction order: in a table without a key, or in a compressed transaction); is_bag, true for a table without a key;
       number of the batch.
  The change log is searched only between the batch's lowest and highest position, which file statistics prune.
#}
{% macro recognised_changes(batch, change_log, stats, tells_apart, is_bag, number) -%}
{% set event = afterimage.in_epoch('_cdc_event_id', '_cdc_landed_ts', afterimage.epochs_of(change_log)) -%}
accepted as (
    select
        _cdc_batch_row,
        _cdc_event_id,
        {{ event }} as event,
        _cdc_topic,
        _cdc_partition,
        _cdc_offset,
        _cdc_tx_order is null and _cdc_op not in ('t', 'o'){{ '' if is_bag else ' and _cdc_connector_run is not null' }} as is_ambiguous,
        coalesce(_cdc_connector_run, '') as connector_run,
        row_number() over (partition by {{ event }}, _cdc_topic, _cdc_partition, _cdc_offset order by _cdc_batch_row) as landed_copy
    from {{ batch }}
    where _cdc_outcome = 'accepted'
),

staged_events as (
    select distinct {{ event }} as event
    from {{ change_log }}
    where _cdc_position between '{{ stats[4] }}' and '{{ stats[5] }}'
),

{% if tells_apart -%}
{{ afterimage.equal_rows_told_apart(change_log, stats, number) }}

{% endif -%}
recognised as (
    -- a change that its event id tells from every other
    select
        accepted._cdc_batch_row,
        accepted._cdc_event_id,
        case
            when accepted.landed_copy > 1 then 0
            when staged_events.event is not null then 2
            else least(2, dense_rank() over (partition by accepted.event order by accepted._cdc_topic, accepted._cdc_partition, accepted._cdc_offset))
        end as copy
    from accepted
    left join staged_events on accepted.event = staged_events.event
    {%- if tells_apart %}
    where not accepted.is_ambiguous
    union all
    -- one of several equal rows
    select
        _cdc_batch_row,
        if(ordinal > staged_copies, concat(_cdc_event_id, ':', ordinal - staged_copies + highest_ordinal), _cdc_event_id),
        case
            when landed_copy > 1 then 0
            when ordinal > staged_copies and reading = 1 then 1
            else 2
        end
    from counted
    {%- endif %}
)
{%- endmacro %}


{#
  The accepted rows of a batch that are new, ready to enter the change log.
  In: batch; columns of the change log; changes (CTEs up to `recognised`); repeats, how many rows are not new; tells_apart; number of the batch.
#}
{% macro new_changes_of_batch(batch, columns, changes, repeats, tells_apart, number) -%}
{% if repeats or tells_apart -%}
with

{{ changes }}

{% endif -%}
select
    {% for column in columns if column['name'] != '_cdc_batch' -%}
    {{ 'recognised._cdc_event_id' if tells_apart and column['name'] == '_cdc_event_id' else 'batch.' ~ column['sql'] }},
    {% endfor -%}
    cast({{ number }} as bigint) as _cdc_batch
from {{ batch }} as batch
{%- if tells_apart %}
inner join recognised on batch._cdc_batch_row = recognised._cdc_batch_row
where recognised.copy = 1
{%- else %}
{%- if repeats %}
left anti join (
    select _cdc_batch_row from recognised where copy <> 1
) as repeated on batch._cdc_batch_row = repeated._cdc_batch_row
{%- endif %}
where batch._cdc_outcome = 'accepted'
{%- endif %}
{%- endmacro %}
