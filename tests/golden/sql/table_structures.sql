-- structures out of afterimage.stg_shop__carts, made by afterimage.table_structures
with

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
    from afterimage.stg_shop__carts
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

versions as (
    select
        *,
        sum(
            cast(
                structure is not null
                and (change = 'rename' or not to_json(structure) <=> to_json(structure_before)) as int
            )
        )
            over (partition by table_in_source order by place_in_log) as version
    from steps
),

begun as (
    select
        source_name,
        table_in_source,
        -- a step that gives the name to another table has none
        max_by(table_name, place_in_log) filter (where table_name is not null) as table_name,
        version,
        min(place_in_log) as place_in_log,
        min_by(position, place_in_log) as position,
        min_by(changed_at, place_in_log) as changed_at,
        min_by(structure, place_in_log) as structure,
        -- a drop, or a rename
        min_by(position, place_in_log) filter (where structure is null) as gone_position,
        min(changed_at) filter (where structure is null) as gone_at,
        bool_or(structure is null) as is_gone
    from versions
    group by source_name, table_in_source, version
),

ended as (
    select
        *,
        coalesce(
            gone_position, lead(position) over (partition by table_in_source order by place_in_log)
        ) as end_position,
        coalesce(gone_at, lead(changed_at) over (partition by table_in_source order by place_in_log)) as ended_at,
        not is_gone and lead(version) over (partition by table_in_source order by place_in_log) is null as is_current
    from begun
    where version > 0
)

select
    source_name,
    table_in_source,
    table_name,
    version,
    position,
    changed_at,
    end_position,
    ended_at,
    is_current,
    reported_column.name as column_name,
    reported_column.place,
    reported_column.type,
    array_contains(structure.key, reported_column.name) as is_key,
    nullif(array_position(structure.key, reported_column.name), 0) as key_place,
    reported_column.is_nullable,
    reported_column.is_generated,
    reported_column.default_value,
    reported_column.charset,
    reported_column.labels,
    reported_column.comment
from ended
    lateral view explode(structure.columns) as reported_column
