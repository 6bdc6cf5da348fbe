{#
  CTE `recognised`: the accepted rows of a batch with `copy`, which is 1 for the row that enters the change log and higher (or 0)
  for one that is there already: a redelivered change.

  In:  batch table; change_log table; stats, the row of counts of the accepted (outcome, kind, rows, distinct events, lowest and
       highest position) or none; is_bag, true for a table without a key.
  The change log is searched only between the batch's lowest and highest position, which file statistics prune.
#}
{% macro recognised_changes(batch, change_log, stats, is_bag) -%}
accepted as (
    select * from {{ batch }} where outcome = 'accepted'
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
    {%- if stats is not none and stats[4] is not none %}
    where _cdc_position between '{{ stats[4] }}' and '{{ stats[5] }}'
    {%- endif %}
),

recognised as (
    select
        told_apart.*,
        {% if is_bag or (stats is not none and stats[2] != stats[3]) -%}
        -- a record that landing itself holds twice (one coordinate) is one record: 0, neither staged nor counted
        if(
            row_number() over (
                partition by told_apart._cdc_event_id, told_apart._cdc_partition, told_apart._cdc_offset order by told_apart._cdc_offset
            ) > 1,
            0,
            dense_rank() over (partition by told_apart._cdc_event_id order by told_apart._cdc_partition, told_apart._cdc_offset)
            + if(staged_events._cdc_event_id is null, 0, 1)
        ) as copy
        {%- else -%}
        if(staged_events._cdc_event_id is null, 1, 2) as copy
        {%- endif %}
    from told_apart
    left join staged_events on told_apart._cdc_event_id = staged_events._cdc_event_id
)
{%- endmacro %}
