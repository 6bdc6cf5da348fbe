{#
  No statement that the stream does not show emptied or dropped a table of a contract, or gave its name to another.
  Put on a model of schema_changes. Returns the statements after which history and current state still show rows; an
  operator event snapshot_complete at that position or later declares what became of them.

      data_tests:
        - afterimage.cdc_no_end_by_ddl
#}
{% test cdc_no_end_by_ddl(model) %}
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
from {{ model }}
where is_alarm and not is_repeat
{% endtest %}
