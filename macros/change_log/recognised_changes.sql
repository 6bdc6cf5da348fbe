{#
  The few rows of a batch that are not simply new, because their change is already staged or is in the batch more than once: a select, one row
  per such batch row, of
    _cdc_batch_row
    _cdc_event_id   NULL where the row keeps the id it came with, as most do
    _cdc_delivery   1 for the row that enters the change log, under another id; 2 for one that is there already (a redelivered change); 0 for one that
                    landing itself holds twice at one coordinate, which is neither staged nor counted
  The search is narrow: it moves no row images, and sorts only rows of an event that is there twice.

  In:  batch table; change_log table; accepted, what counts_of_batch found of the accepted ones;
       distinguishes, whether equal changes may share a position (without a transaction order: in a table without a key, or in a compressed
       transaction); is_bag, true for a table without a key; number of the batch;
       has_repeats and may_be_staged, whether an event may be in the batch more than once, or in the change log.
  The change log is searched only between the batch's lowest and highest position, which file statistics prune.
#}
{% macro recognised_changes(batch, change_log, accepted, distinguishes, is_bag, number, has_repeats=true, may_be_staged=true) -%}
{% set event = afterimage.in_epoch('_cdc_event_id', '_cdc_landed_ts', afterimage.epochs_of(change_log)) -%}
{% set staged_event = "if(" ~ afterimage.has_row() ~ ", substring_index(" ~ event ~ ", ':', 4), " ~ event ~ ")" if distinguishes else event -%}
with

accepted as (
    select
        _cdc_batch_row,
        _cdc_event_id,
        {{ event }} as event,
        struct(_cdc_topic, _cdc_partition, _cdc_offset) as coordinate,
        _cdc_tx_order is null and {{ afterimage.has_row() }}{{ '' if is_bag else ' and _cdc_connector_run is not null' }} as is_ambiguous,
        coalesce(_cdc_connector_run, '') as connector_run
    from {{ batch }}
    where _cdc_outcome = 'accepted'
),

{% if may_be_staged -%}
staged_events as (
    select {{ staged_event }} as event
    from {{ change_log }}
    where
        _cdc_position between '{{ accepted['lowest'] }}' and '{{ accepted['highest'] }}'
        and {{ staged_event }} in (select accepted.event from accepted)
),

{% endif -%}
repeated_hashes as (
    -- narrow: only the hashes of all events are sorted
    {%- if has_repeats %}
    select event_hash
    from (
        select xxhash64(event) as event_hash
        from accepted
        {%- if may_be_staged %}
        union all
        select xxhash64(event)
        from staged_events
        {%- endif %}
    ) as hashes
    group by event_hash
    having count(*) > 1
    {%- else %}
    select distinct xxhash64(event) as event_hash
    from staged_events
    {%- endif %}
),

may_repeat as (
    select{{ (' ' ~ afterimage.broadcast_hint('repeated_hashes', none if may_be_staged else accepted['records'] - accepted['events'])).rstrip() }} accepted.*
    from accepted
    left semi join repeated_hashes on xxhash64(accepted.event) = repeated_hashes.event_hash
),

repeated as (
    -- two events may share a hash: one that is alone here is new
    select
        may_repeat.*,
        {{ 'staged.event is not null' if may_be_staged else 'false' }} as is_staged,
        row_number() over (
            partition by may_repeat.event{{ ', may_repeat.is_ambiguous' if distinguishes }} order by may_repeat.coordinate, may_repeat._cdc_batch_row
        ) as place_in_event,
        coalesce(may_repeat.coordinate = lag(may_repeat.coordinate) over within_event, false) as is_landed_twice
        {%- if distinguishes %},
        bool_or(not may_repeat.is_ambiguous) over (partition by may_repeat.event) as has_unnumbered
        {%- endif %}
    from may_repeat
    {%- if may_be_staged %}
    left join (select distinct event from staged_events) as staged on may_repeat.event = staged.event
    {%- endif %}
    window within_event as (partition by may_repeat.event order by may_repeat.coordinate, may_repeat._cdc_batch_row)
){{ ',' if distinguishes }}

{% if distinguishes -%}
{{ afterimage.equal_rows_distinguished(change_log, accepted, number) }}

{% endif -%}
-- a change that its event id identifies
select
    _cdc_batch_row,
    cast(null as string) as _cdc_event_id,
    if(is_landed_twice, 0, 2) as _cdc_delivery
from repeated
where
    (is_landed_twice or is_staged or place_in_event > 1)
    {%- if distinguishes %}
    and not is_ambiguous
union all
-- one of several equal rows; the first keeps its id, so that it stays the same if the others arrive in a later run
select
    _cdc_batch_row,
    if(is_new and place > 1, concat(_cdc_event_id, ':', place), null),
    case
        when is_landed_twice then 0
        when is_new then 1
        else 2
    end
from counted
where is_landed_twice or not is_new or place > 1
    {%- endif %}
{%- endmacro %}


{#
  The rows that recognised_changes finds. For a small batch they are returned to the run and written into the statements that need them; for
  others they go into a working table.
  In:  search, a select of recognised_changes; accepted, how many changes the batch has; known, the working table; file_format.
  Out: {relation: SQL to join those rows by, none where there are none; redelivered: how many are there already; left_out: how many do not enter the
       change log}
#}
{% macro found_exceptional(search, accepted, known, file_format) %}
  {% set why, columns = 'find duplicates', [] %}
  {% if accepted > 1000 %}
    {% for name, type in {'_cdc_batch_row': 'bigint', '_cdc_event_id': 'string', '_cdc_delivery': 'int'}.items() %}{% do columns.append({'name': name, 'sql': name, 'type': type}) %}{% endfor %}
    {% do afterimage.fill_working_table(known, columns, search, file_format, why) %}
    {% set found = afterimage.ask('count the duplicates of the batch', 'select count(*), count_if(_cdc_delivery > 1), count_if(_cdc_delivery <> 1) from ' ~ known).rows[0] %}
    {{ return({'relation': known if found[0] else none, 'redelivered': found[1] | int, 'left_out': found[2] | int}) }}
  {% endif %}
  {% set rows, copies = [], [] %}
  {% for row, event_id, copy in afterimage.ask(why, search).rows %}
    {% do rows.append('(' ~ row ~ ', ' ~ (afterimage.literal(event_id) if event_id is not none else 'cast(null as string)') ~ ', ' ~ copy ~ ')') %}
    {% do copies.append(copy | int) %}
  {% endfor %}
  {{ return({
    'relation': '(select * from values ' ~ rows | join(', ') ~ ' as few (_cdc_batch_row, _cdc_event_id, _cdc_delivery))' if rows else none,
    'redelivered': copies | select('gt', 1) | list | length,
    'left_out': copies | reject('equalto', 1) | list | length,
  }) }}
{% endmacro %}


{#
  The new accepted rows of a batch, ready to enter the change log: one row per change.
  In: batch; columns of the change log; exceptional, see found_exceptional; number of the batch.
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
