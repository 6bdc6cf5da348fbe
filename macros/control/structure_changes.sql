{#
  What changed in the structure of each table, difference by difference: the log of drift.

  In:  schema_changes, a relation made by afterimage.schema_changes.
  Out: a select, one row a difference between a structure and the one before:
    source_name, table_in_source, table_name, position, changed_at, topic, partition, offset, ddl
    difference          table created, table found (by a snapshot), table dropped, table emptied, table renamed, column added, column dropped,
                        column renamed, type changed, length changed, nullability changed, default changed, labels changed (of an enum or
                        set), charset changed, generation changed, key changed, database dropped
    column_name         of the table after it; of a dropped column its name
    was, is_now         before and after, as text
    is_alarm            see schema_changes
  A rename of a column is told where the statement says it, and where there is none (SQL Server, Db2) if one column went and one of the same
  type came at its place and nothing else came or went. A structure told again makes no row.
#}
{% macro structure_changes(schema_changes) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
-- differences of structures out of {{ schema_changes }}, made by afterimage.structure_changes
with

{{ afterimage.structure_steps(schema_changes) }}

pairs as (
    select
        *,
        concat_ws(' ', place_in_log, table_in_source) as step
    from steps
    where structure is not null and structure_before is not null and not to_json(structure) <=> to_json(structure_before)
),

befores as (
    select
        step,
        column
    from pairs
        lateral view explode(structure_before.columns) as column
),

afters as (
    select
        step,
        column
    from pairs
        lateral view explode(structure.columns) as column
),

gone as (
    select befores.* from befores
    left anti join afters on befores.step = afters.step and befores.column.name = afters.column.name
),

come as (
    select afters.* from afters
    left anti join befores on befores.step = afters.step and befores.column.name = afters.column.name
),

renamed as (
    select
        gone.step,
        gone.column as before,
        come.column as after
    from gone
    inner join come on gone.step = come.step
    inner join pairs on gone.step = pairs.step
    where
        -- rename column a to b; change [column] a b
        pairs.ddl rlike concat(
            '(?is)\\brename\\s+column\\s+', {{ afterimage._name_in_ddl('gone.column.name') }}, '\\s+to\\s+', {{ afterimage._name_in_ddl('come.column.name') }}
        )
        or pairs.ddl rlike concat(
            '(?is)\\bchange\\s+(?:column\\s+)?', {{ afterimage._name_in_ddl('gone.column.name') }}, '\\s+', {{ afterimage._name_in_ddl('come.column.name') }}
        )
        or (
            pairs.ddl is null
            and gone.column.place = come.column.place
            and gone.column.type = come.column.type
            and size(pairs.structure.columns) = size(pairs.structure_before.columns)
            and (select count(*) from gone as others where others.step = gone.step) = 1
        )
),

kept as (
    select
        befores.step,
        befores.column as before,
        afters.column as after
    from befores
    inner join afters on befores.step = afters.step and befores.column.name = afters.column.name
    union all
    select * from renamed
),

differences as (
    select
        step,
        after.name as column_name,
        difference,
        was,
        is_now
    from kept
        lateral view inline(array(
            named_struct('difference', 'column renamed', 'was', before.name, 'is_now', after.name),
            named_struct(
                'difference', if({{ afterimage._type_name('before.type') }} = {{ afterimage._type_name('after.type') }}, 'length changed', 'type changed'),
                'was', before.type, 'is_now', after.type
            ),
            named_struct('difference', 'nullability changed', 'was', if(before.is_nullable, 'null', 'not null'), 'is_now', if(after.is_nullable, 'null', 'not null')),
            named_struct('difference', 'default changed', 'was', before.default_value, 'is_now', after.default_value),
            named_struct('difference', 'labels changed', 'was', array_join(before.labels, ', '), 'is_now', array_join(after.labels, ', ')),
            named_struct('difference', 'charset changed', 'was', before.charset, 'is_now', after.charset),
            named_struct('difference', 'generation changed', 'was', cast(before.is_generated as string), 'is_now', cast(after.is_generated as string))
        )) as difference, was, is_now
    where not was <=> is_now
    union all
    select
        come.step,
        come.column.name,
        'column added',
        null,
        come.column.type
    from come
    left anti join renamed on come.step = renamed.step and come.column.name = renamed.after.name
    union all
    select
        gone.step,
        gone.column.name,
        'column dropped',
        gone.column.type,
        null
    from gone
    left anti join renamed on gone.step = renamed.step and gone.column.name = renamed.before.name
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
        case change when 'drop' then 'table dropped' when 'truncate' then 'table emptied' else 'database dropped' end,
        table_in_source,
        null,
        is_alarm
    from {{ schema_changes }}
    where change in ('drop', 'truncate', 'drop database') and not is_snapshot and not is_repeat
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
    differences.was,
    differences.is_now,
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
{%- endmacro %}


{# A name as it may stand in a statement, with or without quotes, as a regular expression (SQL). #}
{% macro _name_in_ddl(name) %}
  {{ return("concat('[\"`\\\\[]?', regexp_replace(" ~ name ~ ", '([^A-Za-z0-9_])', '\\\\\\\\$1'), '(?![A-Za-z0-9_])[\"`\\\\]]?')") }}
{% endmacro %}


{# A type without what stands in brackets (SQL). #}
{% macro _type_name(type) %}
  {{ return("regexp_replace(" ~ type ~ ", '[(][^)]*[)]', '')") }}
{% endmacro %}
