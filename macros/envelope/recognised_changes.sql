{#
  CTE `recognised`: of each accepted row of a batch its event id and `copy`, which is 1 for the row that enters the change log and
  higher for one that is there already: a redelivered change. Narrow: row images are not moved to find it out.

  In:  batch table (with batch_row); change_log table; stats, the row of counts of the accepted (outcome, kind, rows, distinct events,
       lowest and highest position); is_bag, true for a table without a key.
  The change log is searched only between the batch's lowest and highest position, which file statistics prune.
#}
{% macro recognised_changes(batch, change_log, stats, is_bag) -%}
accepted as (
    select batch_row, _cdc_event_id, _cdc_partition, _cdc_offset, _cdc_tx_order, _cdc_op, _cdc_connector_run
    from {{ batch }}
    where outcome = 'accepted'
),

{% if is_bag -%}
-- equal rows at one place in the log are different rows while one connector run reads them: each gets its ordinal
told_apart as (
    select
        accepted.* except (_cdc_event_id),
        case
            when accepted._cdc_tx_order is not null or accepted._cdc_op = 't' then accepted._cdc_event_id
            else concat(accepted._cdc_event_id, ':', row_number() over (
                    partition by accepted._cdc_event_id, coalesce(accepted._cdc_connector_run, '')
                    order by accepted._cdc_partition, accepted._cdc_offset
                ) + coalesce(earlier.copies, 0))
        end as _cdc_event_id
    from accepted
    left join (
        select
            substring_index(_cdc_event_id, ':', 4) as event, coalesce(_cdc_connector_run, '') as run, count(*) as copies
        from {{ change_log }}
        where _cdc_tx_order is null
        group by 1, 2
    ) as earlier
        on accepted._cdc_event_id = earlier.event and coalesce(accepted._cdc_connector_run, '') = earlier.run
),
{%- else -%}
told_apart as (
    select * from accepted
),
{%- endif %}

staged_events as (
    select distinct _cdc_event_id
    from {{ change_log }}
    where _cdc_position between '{{ stats[4] }}' and '{{ stats[5] }}'
),

recognised as (
    select
        told_apart.batch_row,
        told_apart._cdc_event_id,
        -- a record that landing itself holds twice (one coordinate) is one record: 0, neither staged nor counted
        if(
            row_number() over (
                partition by told_apart._cdc_event_id, told_apart._cdc_partition, told_apart._cdc_offset order by told_apart.batch_row
            ) > 1,
            0,
            dense_rank() over (partition by told_apart._cdc_event_id order by told_apart._cdc_partition, told_apart._cdc_offset)
            + if(staged_events._cdc_event_id is null, 0, 1)
        ) as copy
    from told_apart
    left join staged_events on told_apart._cdc_event_id = staged_events._cdc_event_id
)
{%- endmacro %}


{#
  The accepted rows of a batch that are new, ready to enter the change log.
  In: batch; columns of the change log; changes (CTEs up to `recognised`); repeats, how many rows are not new; is_bag; number of the batch.
#}
{% macro new_changes_of_batch(batch, columns, changes, repeats, is_bag, number) -%}
{% if repeats or is_bag -%}
with

{{ changes }}

{% endif -%}
select
    {% for column in columns if column['name'] != '_cdc_batch' -%}
    {{ 'recognised._cdc_event_id' if is_bag and column['name'] == '_cdc_event_id' else 'batch.' ~ column['sql'] }},
    {% endfor -%}
    cast({{ number }} as bigint) as _cdc_batch
from {{ batch }} as batch
{%- if is_bag %}
inner join recognised on batch.batch_row = recognised.batch_row
where recognised.copy = 1
{%- else %}
{%- if repeats %}
left anti join (
    select batch_row from recognised where copy <> 1
) as repeated on batch.batch_row = repeated.batch_row
{%- endif %}
where batch.outcome = 'accepted'
{%- endif %}
{%- endmacro %}
