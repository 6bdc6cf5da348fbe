{#
  The columns of each table, version by version: with which columns rows were written at a position in the log.

  In:  schema_changes, a relation made by afterimage.schema_changes.
  Out: a select, one row for each table, version and column; a repeated structure makes no version:
    source_name, table_in_source, table_name
    version             1, 2, … of a table by this name
    position, changed_at   where the version begins; end_position, ended_at   where it ends (by another, or by a
                           drop), NULL while it is the newest
    is_current
    column_name, place, type (as a contract writes it), is_key, key_place, is_nullable, is_generated, default_value,
    charset, labels, comment
#}
{% macro table_structures(schema_changes) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
-- structures out of {{ schema_changes }}, made by afterimage.table_structures
with

{{ afterimage.structure_steps(schema_changes) }}

versions as (
    select
        *,
        sum(cast(structure is not null and (change = 'rename' or not to_json(structure) <=> to_json(structure_before)) as int))
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
        coalesce(gone_position, lead(position) over (partition by table_in_source order by place_in_log)) as end_position,
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
{%- endmacro %}
