{#
  Deletes and updates of a table without a key whose row before no change brought. All columns identify such a row: if
  stream records omit a column that the snapshot had (generated, excluded), or rows gained one with a default, they
  match no row, and the row stays. Checked only if a snapshot read the table, because a stream that begins in the
  middle refers to earlier rows.

  In:  a step `changes` (changes_of_logs). Out: a select of findings (see accounting), one row for each row of the
       table.
#}
{% macro rows_never_seen() -%}
select
    source_name,
    table_name,
    min(_cdc_topic) as topic,
    'alarm' as outcome,
    'row_never_seen' as kind,
    count(*) as records,
    min(named) as named
from (
    select
        one.*,
        map(false, if(one._cdc_op = 'd', null, one._cdc_key), true, if(one._cdc_op = 'd', one._cdc_key, one._cdc_previous_key)) as rows_meant
    from changes as one
    left semi join changes as read
        on one.source_name = read.source_name and one.table_name = read.table_name and read._cdc_op = 'r'
    where not one.has_key and {{ afterimage.is_of_source('one._cdc_op') }}
) as keyless_changes
    lateral view explode(rows_meant) as is_taken, row_meant
where row_meant is not null
group by source_name, table_name, row_meant
having bool_and(is_taken)
{%- endmacro %}
