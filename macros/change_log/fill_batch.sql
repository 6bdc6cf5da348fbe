{#
  Inserts the rows of a statement into the batch of a change log, each with a number of its own.
  In: batch; contract; columns of the change log; the select (see judged_columns); file_format; why (see ask); number, SQL in front of
  the row number, so that the numbers of two statements differ.
#}
{% macro fill_batch(batch, contract, columns, select_sql, file_format, why, number='') %}
  {% set numbered -%}
select
    judged.*,
    {{ number }}monotonically_increasing_id() as _cdc_batch_row
from (
{{ select_sql }}
) as judged
  {%- endset %}
  {% do afterimage.fill_working_table(batch, afterimage.judged_columns(contract, columns), numbered, file_format, why) %}
{% endmacro %}
