{#
  Changes of several physical tables in a model whose contract treats all as those of one: all but those of the table
  with most, if both are in one topic; of two servers, whose log positions cannot be compared; or made during the same
  time (a renamed table follows itself). Tables that the contract names (source_tables) belong together on one server.

  In:  a step `physical_tables`. Out: a select of findings (see accounting), one row for each table, which name it.
#}
{% macro several_source_tables() -%}
select
    one.source_name,
    one.table_name,
    one.topic,
    'alarm' as outcome,
    'several_source_tables' as kind,
    one.records,
    one.named
from physical_tables as one
left semi join physical_tables as other
    on
        one.source_name = other.source_name
        and one.table_name = other.table_name
        and one.epoch = other.epoch
        and not one.named <=> other.named
        and struct(one.records, one.named) < struct(other.records, other.named)
        and (
            one.server <> other.server
            or not one.names_tables
            and (one.topic = other.topic or (one.first_place <= other.last_place and one.last_place >= other.first_place))
        )
{%- endmacro %}


{#
  CTE `physical_tables`: the source tables whose changes came into a model whose contract treats all as those of one.
  In: a step `changes` (changes_of_logs).
#}
{% macro physical_tables() -%}
physical_tables as (
    select
        source_name,
        table_name,
        epoch,
        names_tables,
        _cdc_topic as topic,
        _cdc_source_table as named,
        substring_index(_cdc_source_table, '.', 1) as server,
        min(_cdc_position) as first_place,
        max(_cdc_position) as last_place,
        count(*) as records
    from changes
    where is_one_table and {{ afterimage.is_of_source() }}
    group by source_name, table_name, epoch, names_tables, _cdc_topic, _cdc_source_table
),
{%- endmacro %}
