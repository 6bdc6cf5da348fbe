{#
  No refused change is the newest one of its row. Put on the quarantine of a source. Returns the rows that the models
  show as they were before the refused change, with the coordinate of the refused record.

      data_tests:
        - afterimage.cdc_no_row_behind
#}
{% test cdc_no_row_behind(model) %}
select
    source_name,
    table_name,
    row_key,
    position,
    topic,
    partition,
    offset,
    concat('the models show this row as it was before a refused change (', reason, ')') as failure_reason
from {{ model }}
where row_is_behind
{% endtest %}
