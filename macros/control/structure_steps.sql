{#
  CTE `steps`: the structure changes of each table in order, each with the previous structure.
  In:  schema_changes, a relation made by afterimage.schema_changes.
  Out: its columns, place_in_log (text that sorts), structure_before (of the table, of its former name for a rename;
  NULL if there was none or it was dropped). A name that a rename frees is a step without structure, change `renamed`.
  The statements that a snapshot writes before it begins (DROP … IF EXISTS) are no steps.
#}
{% macro structure_steps(schema_changes) -%}
reported_changes as (
    select
        *,
        -- in a re-created topic offsets repeat, later
        concat_ws(
            '.',
            concat(epoch, coalesce(position, '')),
            lpad(coalesce(unix_micros(landed_at), 0), 20, '0'),
            lpad(partition, 6, '0'),
            lpad(offset, 20, '0'),
            lpad(coalesce(change_number, 0), 6, '0')
        ) as place_in_log
    from {{ schema_changes }}
    where
        fault is null
        and not is_repeat
        and (structure is not null or (not is_snapshot and change in ('drop', 'rename')))
),

with_given_names as (
    select
        source_name,
        topic,
        partition,
        offset,
        step as change,
        if(step = 'renamed', former_table, table_in_source) as table_in_source,
        if(step = 'renamed', table_in_source, former_table) as former_table,
        if(step = 'renamed', null, table_name) as table_name,
        ddl,
        position,
        changed_at,
        is_snapshot,
        if(step = 'renamed', null, structure) as structure,
        place_in_log
    from reported_changes
        lateral view explode(if(change = 'rename', array('renamed', 'rename'), array(change))) as step
),

places as (
    -- per name: its structure at a position, and before it
    select
        table_in_source,
        place_in_log,
        lag(any_value(structure, true)) over (partition by table_in_source order by place_in_log) as structure_before
    from with_given_names
    group by table_in_source, place_in_log
),

steps as (
    -- a new name continues the structure of the former one, which ends at this position
    select
        happened.*,
        places.structure_before
    from with_given_names as happened
    left join places
        on
            if(happened.change = 'rename', happened.former_table, happened.table_in_source) = places.table_in_source
            and happened.place_in_log = places.place_in_log
),
{%- endmacro %}
