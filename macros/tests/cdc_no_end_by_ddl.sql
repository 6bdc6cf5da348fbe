{#
  No table of a contract was emptied or dropped, or another took its name, by a statement that its stream does not show. Put on a model of schema_changes. Gives the statements
  after which history and current state still show rows; an operator event snapshot_complete at that place, or behind, says what became of them.

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
