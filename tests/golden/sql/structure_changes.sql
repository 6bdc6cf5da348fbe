-- differences of structures out of afterimage.stg_shop__carts, made by afterimage.structure_changes
with

told as (
    select
        *,
        -- in a topic that was made anew offsets come again, later
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
    from told
        lateral view explode(if(change = 'rename', array('renamed', 'rename'), array(change))) as step
),

places as (
    -- of each name by itself: what it was at a place, and before it
    select
        table_in_source,
        place_in_log,
        lag(any_value(structure, true)) over (partition by table_in_source order by place_in_log) as structure_before
    from with_given_names
    group by table_in_source, place_in_log
),

steps as (
    -- a new name goes on from the structure of the former, which at this place is given away
    select
        happened.source_name,
        happened.topic,
        happened.partition,
        happened.offset,
        happened.change,
        happened.table_in_source,
        happened.former_table,
        happened.table_name,
        happened.ddl,
        happened.position,
        happened.changed_at,
        happened.is_snapshot,
        happened.structure,
        happened.place_in_log,
        places.structure_before
    from with_given_names as happened
    left join places
        on
            if(happened.change = 'rename', happened.former_table, happened.table_in_source) = places.table_in_source
            and happened.place_in_log = places.place_in_log
),

pairs as (
    select
        *,
        concat_ws(' ', place_in_log, table_in_source) as step
    from steps
    where structure is not null
        and structure_before is not null
        and not to_json(structure) <=> to_json(structure_before)
),

befores as (
    select
        step,
        told.name as column_name,
        told
    from pairs
        lateral view explode(structure_before.columns) as told
),

afters as (
    select
        step,
        told.name as column_name,
        told
    from pairs
        lateral view explode(structure.columns) as told
),

gone as (
    select befores.* from befores
    left anti join afters on befores.step = afters.step and befores.column_name = afters.column_name
),

come as (
    select afters.* from afters
    left anti join befores on afters.step = befores.step and afters.column_name = befores.column_name
),

came_for_gone as (
    select
        gone.step,
        gone.told as was,
        come.told as is_now,
        count(*) over (partition by gone.step) as candidates
    from gone
    inner join come on gone.step = come.step
),

renamed as (
    select
        came_for_gone.step,
        came_for_gone.was,
        came_for_gone.is_now
    from came_for_gone
    inner join pairs on came_for_gone.step = pairs.step
    where
        -- rename column a to b; change [column] a b
        pairs.ddl rlike concat(
            '(?is)\\brename\\s+column\\s+',
            concat(
                '["`\\[]?',
                regexp_replace(came_for_gone.was.name, '([^A-Za-z0-9_])', '\\\\$1'),
                '(?![A-Za-z0-9_])["`\\]]?'
            ),
            '\\s+to\\s+',
            concat(
                '["`\\[]?',
                regexp_replace(came_for_gone.is_now.name, '([^A-Za-z0-9_])', '\\\\$1'),
                '(?![A-Za-z0-9_])["`\\]]?'
            )
        )
        or pairs.ddl rlike concat(
            '(?is)\\bchange\\s+(?:column\\s+)?',
            concat(
                '["`\\[]?',
                regexp_replace(came_for_gone.was.name, '([^A-Za-z0-9_])', '\\\\$1'),
                '(?![A-Za-z0-9_])["`\\]]?'
            ),
            '\\s+',
            concat(
                '["`\\[]?',
                regexp_replace(came_for_gone.is_now.name, '([^A-Za-z0-9_])', '\\\\$1'),
                '(?![A-Za-z0-9_])["`\\]]?'
            )
        )
        or (
            pairs.ddl is null
            and came_for_gone.was.place = came_for_gone.is_now.place
            and came_for_gone.was.type = came_for_gone.is_now.type
            and came_for_gone.candidates = 1
        )
),

kept as (
    select
        befores.step,
        befores.told as was,
        afters.told as is_now
    from befores
    inner join afters on befores.step = afters.step and befores.column_name = afters.column_name
    union all
    select * from renamed
),

differences as (
    select
        step,
        is_now.name as column_name,
        found.difference,
        found.text_before,
        found.text_after
    from kept
        lateral view explode(array(
            named_struct('difference', 'column renamed', 'text_before', was.name, 'text_after', is_now.name),
            named_struct(
                'difference',
                if(
                    regexp_replace(was.type, '[(][^)]*[)]', '') = regexp_replace(is_now.type, '[(][^)]*[)]', ''),
                    'length changed',
                    'type changed'
                ),
                'text_before', was.type, 'text_after', is_now.type
            ),
            named_struct(
                'difference',
                'nullability changed',
                'text_before',
                if(was.is_nullable, 'null', 'not null'),
                'text_after',
                if(is_now.is_nullable, 'null', 'not null')
            ),
            named_struct(
                'difference', 'default changed', 'text_before', was.default_value, 'text_after', is_now.default_value
            ),
            named_struct(
                'difference',
                'labels changed',
                'text_before',
                array_join(was.labels, ', '),
                'text_after',
                array_join(is_now.labels, ', ')
            ),
            named_struct('difference', 'charset changed', 'text_before', was.charset, 'text_after', is_now.charset),
            named_struct('difference', 'comment changed', 'text_before', was.comment, 'text_after', is_now.comment),
            named_struct(
                'difference',
                'generation changed',
                'text_before',
                cast(was.is_generated as string),
                'text_after',
                cast(is_now.is_generated as string)
            )
        )) as found
    where not found.text_before <=> found.text_after
    union all
    select
        come.step,
        come.column_name,
        'column added',
        null,
        come.told.type
    from come
    left anti join renamed on come.step = renamed.step and come.column_name = renamed.is_now.name
    union all
    select
        gone.step,
        gone.column_name,
        'column dropped',
        gone.told.type,
        null
    from gone
    left anti join renamed on gone.step = renamed.step and gone.column_name = renamed.was.name
    union all
    select
        step,
        null,
        'key changed',
        array_join(structure_before.key, ', '),
        array_join(structure.key, ', ')
    from pairs
    where not structure_before.key <=> structure.key
),

of_tables as (
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
        end as difference,
        former_table as was,
        table_in_source as is_now,
        false as is_alarm
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
        table_in_source as was,
        null,
        is_alarm
    from afterimage.stg_shop__carts
    where change in ('drop', 'truncate', 'drop database', 'partition emptied', 'replaced')
        and not is_snapshot
        and not is_repeat
)

select
    pairs.source_name,
    pairs.table_in_source,
    pairs.table_name,
    pairs.position,
    pairs.changed_at,
    pairs.topic,
    pairs.partition,
    pairs.offset,
    pairs.ddl,
    differences.difference,
    differences.column_name,
    differences.text_before as was,
    differences.text_after as is_now,
    false as is_alarm
from differences
inner join pairs on differences.step = pairs.step
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
    difference,
    null,
    was,
    is_now,
    is_alarm
from of_tables
