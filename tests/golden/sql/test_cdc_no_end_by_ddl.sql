select
    source_name,
    table_name,
    table_in_source,
    change,
    position,
    changed_at,
    ddl,
    concat(
        'the source ran ', change, ' on the table', coalesce(concat(' (it was ', former_table, ')'), ''),
        ', its stream has no event of it, and the rows before it are still shown'
    ) as failure_reason
from afterimage.stg_shop__carts
where is_alarm and not is_repeat
