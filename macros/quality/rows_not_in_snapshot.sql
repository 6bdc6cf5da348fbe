{#
  Rows that a history shows as current though a complete snapshot of the table did not read them: suspected ghosts,
  whose deletes were never captured. This closes no row; an operator event snapshot_complete does that
  (docs/concepts/operator-events.md).

  In:  history, change_log of a table with a key; contract; began_at, SQL of the time at which the snapshot began, by
       the clock of the connector.
  Out: a select, one row for each row: row_key (see shown_key), valid_from, position. Any read or change of a row that
  the connector has processed since the snapshot began shows that the row existed.
#}
{% macro rows_not_in_snapshot(history, change_log, contract, began_at) -%}
select
    {{ afterimage.shown_key('versions._cdc_key', contract) }} as row_key,
    versions.valid_from,
    versions._cdc_position as position
from {{ history }} as versions
left anti join (
    select _cdc_key
    from {{ change_log }}
    where coalesce(_cdc_processed_ts, _cdc_source_ts) >= {{ began_at }} and {{ afterimage.leaves_row() }}
) as newer on versions._cdc_key = newer._cdc_key
where versions.is_current
{%- endmacro %}
