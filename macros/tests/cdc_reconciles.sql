{#
  A current state or a history shows the rows that its source holds. Put on either, with the source's rows: see reconcile for the arguments.
  Returns the rows that differ; not those that are pending, which the change log has not reached yet.

      data_tests:
        - afterimage.cdc_reconciles:
            arguments:
              source_rows: source('shop_copy', 'orders')
#}
{% test cdc_reconciles(model, source_rows, taken_from=none, taken_until=none, reached=none, exclude_columns=[]) %}
select
    *,
    concat_ws(': ', 'model and source differ', status, nullif(array_join(differing_columns, ', '), '')) as failure_reason
from (
{{ afterimage.reconcile(model, source_rows, taken_from, taken_until, reached, exclude_columns) | indent(4, true) }}
) as reconciled
where status not in ('identical', 'pending')
{% endtest %}
