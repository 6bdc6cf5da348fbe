{#
  CTE `recognised`: those rows of a batch that may not be simply new, because their change is staged already or stands in the batch more than
  once. Of each its event id (and whether that is another one than it came with) and `copy`: 1 for the row that enters the change log, 2 for
  one that is there already (a redelivered change), 0 for one that landing itself holds twice at one coordinate, which is neither staged nor
  counted.
  Narrow: row images are not moved to find it out, and only rows of an event that is there twice are sorted.

  In:  batch table; change_log table; stats, the row of counts of the accepted (outcome, kind, rows, lowest and highest position);
       tells_apart, whether equal changes may lie at one place (without a transaction order: in a table without a key, or in a compressed
       transaction); is_bag, true for a table without a key; number of the batch.
  The change log is searched only between the batch's lowest and highest position, which file statistics prune.
#}
{% macro recognised_changes(batch, change_log, stats, tells_apart, is_bag, number) -%}
{% set event = afterimage.in_epoch('_cdc_event_id', '_cdc_landed_ts', afterimage.epochs_of(change_log)) -%}
{% set staged_event = "if(_cdc_op in ('t', 'o'), " ~ event ~ ", substring_index(" ~ event ~ ", ':', 4))" if tells_apart else event -%}
accepted as (
    select
        _cdc_batch_row,
        _cdc_event_id,
        {{ event }} as event,
        _cdc_topic,
        _cdc_partition,
        _cdc_offset,
        _cdc_tx_order is null and _cdc_op not in ('t', 'o'){{ '' if is_bag else ' and _cdc_connector_run is not null' }} as is_ambiguous,
        coalesce(_cdc_connector_run, '') as connector_run
    from {{ batch }}
    where _cdc_outcome = 'accepted'
),

staged_events as (
    select distinct {{ staged_event }} as event
    from {{ change_log }}
    where
        _cdc_position between '{{ stats[3] }}' and '{{ stats[4] }}'
        and {{ staged_event }} in (select accepted.event from accepted)
),

repeated_events as (
    select event
    from accepted
    group by event
    having count(*) > 1
    union all
    select event
    from staged_events
),

repeated as (
    select
        accepted.*,
        row_number() over (
            partition by accepted.event, accepted._cdc_topic, accepted._cdc_partition, accepted._cdc_offset
            order by accepted._cdc_batch_row
        ) as landed_copy
    from accepted
    left semi join repeated_events on accepted.event = repeated_events.event
),

{% if tells_apart -%}
{{ afterimage.equal_rows_told_apart(change_log, stats, number) }}

{% endif -%}
recognised as (
    -- a change that its event id tells from every other
    select
        repeated._cdc_batch_row,
        repeated._cdc_event_id,
        case
            when repeated.landed_copy > 1 then 0
            when staged_events.event is not null then 2
            else least(2, dense_rank() over (partition by repeated.event order by repeated._cdc_topic, repeated._cdc_partition, repeated._cdc_offset))
        end as copy,
        false as is_renamed
    from repeated
    left join staged_events on repeated.event = staged_events.event
    {%- if tells_apart %}
    where not repeated.is_ambiguous
    union all
    -- one of several equal rows; the first keeps its id, so that it has the same one where the others come in a later run
    select
        _cdc_batch_row,
        concat(_cdc_event_id, ':', place),
        case
            when landed_copy > 1 then 0
            when is_new then 1
            else 2
        end,
        is_new and place > 1
    from counted
    {%- endif %}
)
{%- endmacro %}


{#
  The few rows of a batch that are not simply new: those that do not enter the change log (copy 0 or 2), and those that enter it under an
  event id of their own. In: changes, the CTEs up to `recognised`. Out: a select of _cdc_batch_row, _cdc_event_id (NULL for the id a row came
  with), _cdc_delivery (the copy).
#}
{% macro exceptional_changes(changes) -%}
with

{{ changes }}

select
    _cdc_batch_row,
    if(is_renamed, _cdc_event_id, null) as _cdc_event_id,
    copy as _cdc_delivery
from recognised
where copy <> 1 or is_renamed
{%- endmacro %}


{# The columns of exceptional_changes: a list of {name, sql, type}. #}
{% macro exceptional_columns() %}
  {% set columns = [] %}
  {% for name, type in {'_cdc_batch_row': 'bigint', '_cdc_event_id': 'string', '_cdc_delivery': 'int'}.items() %}
    {% do columns.append({'name': name, 'sql': name, 'type': type}) %}
  {% endfor %}
  {{ return(columns) }}
{% endmacro %}


{#
  The accepted rows of a batch that are new, ready to enter the change log.
  In: batch; columns of the change log; exceptional, where the rows of exceptional_changes are, or none when there are none; number of the batch.
#}
{% macro new_changes_of_batch(batch, columns, exceptional, number) -%}
select
    {% for column in columns if column['name'] != '_cdc_batch' -%}
    {{ 'coalesce(exceptional._cdc_event_id, batch._cdc_event_id) as _cdc_event_id' if exceptional and column['name'] == '_cdc_event_id' else 'batch.' ~ column['sql'] }},
    {% endfor -%}
    cast({{ number }} as bigint) as _cdc_batch
from {{ batch }} as batch
{%- if exceptional %}
left join {{ exceptional }} as exceptional
    on batch._cdc_batch_row = exceptional._cdc_batch_row
{%- endif %}
where
    batch._cdc_outcome = 'accepted'
    {%- if exceptional %}
    and coalesce(exceptional._cdc_delivery, 1) = 1
    {%- endif %}
{%- endmacro %}
