{#
  Inserts the rows of a statement into the batch of a change log, each with a number of its own.
  In: batch; contract; columns of the change log; the select (see judged_columns); file_format; why (see ask); number, SQL in front of
  the row number, so that the numbers of two statements differ; erasure, what an operator erased (see erasure_of), or none; epochs.
#}
{% macro fill_batch(batch, contract, columns, select_sql, file_format, why, number='', erasure=none, epochs=[]) %}
  {% set judged = afterimage.judged_columns(contract, columns) %}
  {% set names = judged | map(attribute='name') | reject('equalto', '_cdc_batch_row') | list %}
  {% set numbered -%}
select
    judged.*,
    {{ number }}monotonically_increasing_id() as _cdc_batch_row
from (
{{ afterimage.values_erased(select_sql, names, erasure, epochs) if erasure else select_sql }}
) as judged
  {%- endset %}
  {% do afterimage.fill_working_table(batch, judged, numbered, file_format, why) %}
{% endmacro %}
