{#
  The structure changes of each table, difference by difference: the log of schema drift.

  In:  schema_changes, a relation made by afterimage.schema_changes.
  Out: a select, one row for each difference between a structure and the previous one:
    source_name, table_in_source, table_name, position, changed_at, topic, partition, offset, ddl
    difference          table created, table found (by a snapshot), table dropped, table emptied, table renamed,
                        column added, column dropped, column renamed, type changed, length changed, nullability
                        changed, default changed, labels changed (of an enum or set), charset changed, generation
                        changed, comment changed, key changed, database dropped, partition emptied, table replaced
    column_name         of the table after it; for a dropped column its name
    was, is_now         before and after, as text
    is_alarm            see schema_changes
  A column rename is reported where the statement has it, and without a statement (SQL Server, Db2) if one column was
  dropped, one of the same type was added in its place, and nothing else was dropped or added. A repeated structure
  makes no row.
#}
{% macro structure_changes(schema_changes) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set change = ['source_name', 'table_in_source', 'table_name', 'position', 'changed_at', 'topic', 'partition', 'offset', 'ddl'] -%}
-- differences between structures in {{ schema_changes }}, made by afterimage.structure_changes
with

{{ afterimage.structure_steps(schema_changes) }}

compared as (
    select
        *,
        filter(structure_before.columns, was -> not exists(structure.columns, is_now -> is_now.name = was.name)) as gone,
        filter(structure.columns, is_now -> not exists(structure_before.columns, was -> was.name = is_now.name)) as come,
        flatten(transform(structure_before.columns, was -> transform(
            filter(structure.columns, is_now -> is_now.name = was.name), is_now -> named_struct('was', was, 'is_now', is_now)
        ))) as kept
    from steps
    where structure is not null and structure_before is not null and not to_json(structure) <=> to_json(structure_before)
),

with_renames as (
    select
        *,
        filter(
            flatten(transform(gone, was -> transform(come, is_now -> named_struct('was', was, 'is_now', is_now)))),
            -- rename column a to b; change [column] a b
            pair -> ddl rlike concat(
                '(?is)\\brename\\s+column\\s+', {{ afterimage._name_in_ddl('pair.was.name') }}, '\\s+to\\s+', {{ afterimage._name_in_ddl('pair.is_now.name') }}
            )
            or ddl rlike concat(
                '(?is)\\bchange\\s+(?:column\\s+)?', {{ afterimage._name_in_ddl('pair.was.name') }}, '\\s+', {{ afterimage._name_in_ddl('pair.is_now.name') }}
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
        {{ change | join(',\n        ') }},
        found.*
    from with_renames
        lateral view explode(concat(
            flatten(transform(concat(kept, renamed), pair -> array(
                {{ afterimage._difference("'column renamed'", 'pair.is_now.name', 'pair.was.name', 'pair.is_now.name') }},
                {{ afterimage._difference('if(' ~ afterimage._type_name('pair.was.type') ~ ' = ' ~ afterimage._type_name('pair.is_now.type') ~ ", 'length changed', 'type changed')",
                                          'pair.is_now.name', 'pair.was.type', 'pair.is_now.type') }},
                {{ afterimage._difference("'nullability changed'", 'pair.is_now.name', "if(pair.was.is_nullable, 'null', 'not null')", "if(pair.is_now.is_nullable, 'null', 'not null')") }},
                {{ afterimage._difference("'default changed'", 'pair.is_now.name', 'pair.was.default_value', 'pair.is_now.default_value') }},
                {{ afterimage._difference("'labels changed'", 'pair.is_now.name', "array_join(pair.was.labels, ', ')", "array_join(pair.is_now.labels, ', ')") }},
                {{ afterimage._difference("'charset changed'", 'pair.is_now.name', 'pair.was.charset', 'pair.is_now.charset') }},
                {{ afterimage._difference("'comment changed'", 'pair.is_now.name', 'pair.was.comment', 'pair.is_now.comment') }},
                {{ afterimage._difference("'generation changed'", 'pair.is_now.name', 'cast(pair.was.is_generated as string)', 'cast(pair.is_now.is_generated as string)') }}
            ))),
            transform(
                filter(come, is_now -> not exists(renamed, pair -> pair.is_now.name = is_now.name)),
                is_now -> {{ afterimage._difference("'column added'", 'is_now.name', 'cast(null as string)', 'is_now.type') }}
            ),
            transform(
                filter(gone, was -> not exists(renamed, pair -> pair.was.name = was.name)),
                was -> {{ afterimage._difference("'column dropped'", 'was.name', 'was.type', 'cast(null as string)') }}
            ),
            array(
                {{ afterimage._difference("'key changed'", 'cast(null as string)', "array_join(structure_before.key, ', ')", "array_join(structure.key, ', ')") }}
            )
        )) as found
    where not found.was <=> found.is_now
)

select
    {{ change | join(',\n    ') }},
    difference,
    column_name,
    was,
    is_now,
    false as is_alarm
from differences
union all
select
    {{ change | join(',\n    ') }},
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
    {{ change | join(',\n    ') }},
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
from {{ schema_changes }}
where change in ('drop', 'truncate', 'drop database', 'partition emptied', 'replaced') and not is_snapshot and not is_repeat
{%- endmacro %}


{# A difference of a column (SQL of its name) as a struct: its kind, and SQL of the text before and after it. #}
{% macro _difference(difference, column_name, was, is_now) -%}
named_struct(
                    'difference', {{ difference }},
                    'column_name', {{ column_name }},
                    'was', {{ was }},
                    'is_now', {{ is_now }}
                )
{%- endmacro %}


{# A name in a statement, with or without quotes, as a regular expression (SQL). #}
{% macro _name_in_ddl(name) %}
  {{ return("concat('[\"`\\\\[]?', regexp_replace(" ~ name ~ ", '([^A-Za-z0-9_])', '\\\\\\\\$1'), '(?![A-Za-z0-9_])[\"`\\\\]]?')") }}
{% endmacro %}


{# A type without its part in brackets (SQL). #}
{% macro _type_name(type) %}
  {{ return("regexp_replace(" ~ type ~ ", '[(][^)]*[)]', '')") }}
{% endmacro %}
