-- differences between structures in afterimage.stg_shop__carts, made by afterimage.structure_changes
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

compared as (
    select
        *,
        filter(
            structure_before.columns, was -> not exists(structure.columns, is_now -> is_now.name = was.name)
        ) as gone,
        filter(
            structure.columns, is_now -> not exists(structure_before.columns, was -> was.name = is_now.name)
        ) as come,
        flatten(transform(structure_before.columns, was -> transform(
            filter(structure.columns, is_now -> is_now.name = was.name),
            is_now -> named_struct('was', was, 'is_now', is_now)
        ))) as kept
    from steps
    where structure is not null
        and structure_before is not null
        and not to_json(structure) <=> to_json(structure_before)
),

with_renames as (
    select
        *,
        filter(
            flatten(transform(gone, was -> transform(come, is_now -> named_struct('was', was, 'is_now', is_now)))),
            -- rename column a to b; change [column] a b
            pair -> ddl rlike concat(
                '(?is)\\brename\\s+column\\s+',
                concat(
                    '["`\\[]?', regexp_replace(pair.was.name, '([^A-Za-z0-9_])', '\\\\$1'), '(?![A-Za-z0-9_])["`\\]]?'
                ),
                '\\s+to\\s+',
                concat(
                    '["`\\[]?',
                    regexp_replace(pair.is_now.name, '([^A-Za-z0-9_])', '\\\\$1'),
                    '(?![A-Za-z0-9_])["`\\]]?'
                )
            )
            or ddl rlike concat(
                '(?is)\\bchange\\s+(?:column\\s+)?',
                concat(
                    '["`\\[]?', regexp_replace(pair.was.name, '([^A-Za-z0-9_])', '\\\\$1'), '(?![A-Za-z0-9_])["`\\]]?'
                ),
                '\\s+',
                concat(
                    '["`\\[]?',
                    regexp_replace(pair.is_now.name, '([^A-Za-z0-9_])', '\\\\$1'),
                    '(?![A-Za-z0-9_])["`\\]]?'
                )
            )
            or (
                ddl is null and size(gone) = 1 and size(come) = 1
                and pair.was.place = pair.is_now.place and pair.was.type = pair.is_now.type
            )
        ) as renamed
    from compared
),

differences as (
    select
        source_name,
        table_in_source,
        table_name,
        position,
        changed_at,
        topic,
        partition,
        offset,
        ddl,
        found.*
    from with_renames
        lateral view explode(concat(
            flatten(transform(concat(kept, renamed), pair -> array(
                named_struct(
                    'difference', 'column renamed',
                    'column_name', pair.is_now.name,
                    'was', pair.was.name,
                    'is_now', pair.is_now.name
                ),
                named_struct(
                    'difference',
                    if(
                        regexp_replace(
                            pair.was.type, '[(][^)]*[)]', ''
                        ) = regexp_replace(pair.is_now.type, '[(][^)]*[)]', ''),
                        'length changed',
                        'type changed'
                    ),
                    'column_name', pair.is_now.name,
                    'was', pair.was.type,
                    'is_now', pair.is_now.type
                ),
                named_struct(
                    'difference', 'nullability changed',
                    'column_name', pair.is_now.name,
                    'was', if(pair.was.is_nullable, 'null', 'not null'),
                    'is_now', if(pair.is_now.is_nullable, 'null', 'not null')
                ),
                named_struct(
                    'difference', 'default changed',
                    'column_name', pair.is_now.name,
                    'was', pair.was.default_value,
                    'is_now', pair.is_now.default_value
                ),
                named_struct(
                    'difference', 'labels changed',
                    'column_name', pair.is_now.name,
                    'was', array_join(pair.was.labels, ', '),
                    'is_now', array_join(pair.is_now.labels, ', ')
                ),
                named_struct(
                    'difference', 'charset changed',
                    'column_name', pair.is_now.name,
                    'was', pair.was.charset,
                    'is_now', pair.is_now.charset
                ),
                named_struct(
                    'difference', 'comment changed',
                    'column_name', pair.is_now.name,
                    'was', pair.was.comment,
                    'is_now', pair.is_now.comment
                ),
                named_struct(
                    'difference', 'generation changed',
                    'column_name', pair.is_now.name,
                    'was', cast(pair.was.is_generated as string),
                    'is_now', cast(pair.is_now.is_generated as string)
                )
            ))),
            transform(
                filter(come, is_now -> not exists(renamed, pair -> pair.is_now.name = is_now.name)),
                is_now -> named_struct(
                    'difference', 'column added',
                    'column_name', is_now.name,
                    'was', cast(null as string),
                    'is_now', is_now.type
                )
            ),
            transform(
                filter(gone, was -> not exists(renamed, pair -> pair.was.name = was.name)),
                was -> named_struct(
                    'difference', 'column dropped',
                    'column_name', was.name,
                    'was', was.type,
                    'is_now', cast(null as string)
                )
            ),
            array(
                named_struct(
                    'difference', 'key changed',
                    'column_name', cast(null as string),
                    'was', array_join(structure_before.key, ', '),
                    'is_now', array_join(structure.key, ', ')
                )
            )
        )) as found
    where not found.was <=> found.is_now
)

select
    source_name,
    table_in_source,
    table_name,
    position,
    changed_at,
    topic,
    partition,
    offset,
    ddl,
    difference,
    column_name,
    was,
    is_now,
    false as is_alarm
from differences
union all
select
    source_name,
    table_in_source,
    table_name,
    position,
    changed_at,
    topic,
    partition,
    offset,
    ddl,
    case
        when change = 'rename' then 'table renamed'
        when is_snapshot then 'table found'
        else 'table created'
    end,
    null,
    former_table as was,
    table_in_source as is_now,
    false
from steps
where structure is not null and (change = 'rename' or structure_before is null)
union all
select
    source_name,
    table_in_source,
    table_name,
    position,
    changed_at,
    topic,
    partition,
    offset,
    ddl,
    case change
        when 'drop' then 'table dropped'
        when 'truncate' then 'table emptied'
        when 'replaced' then 'table replaced'
        when 'drop database' then 'database dropped'
        else change
    end,
    null,
    table_in_source as was,
    null,
    is_alarm
from afterimage.stg_shop__carts
where change in ('drop', 'truncate', 'drop database', 'partition emptied', 'replaced')
    and not is_snapshot
    and not is_repeat
