{#
  SQL text that sorts all changes of a table, from the columns of a change log: one value per change.
  It orders by: position; a stream event after a snapshot row of equal position; transaction order where it says more (see
  transaction_order_decides); what goes first at its position; the landing coordinate.
  Where a position identifies a row (see connector), the delete of a key change goes before its create. Where it does not, a row may be created
  and deleted at one position, and only the landing coordinate says which came first. Where events have names (see datastream_connector), the
  names order the changes at one position; backfilled rows, which all share one, are ordered by read time first.
  In: contract; before_record, SQL that finds a delete that goes before its create although its position may hold several rows, or none.
#}
{% macro change_order(contract, before_record=none) %}
  {% set connector = afterimage.connector(contract) %}
  {% set tie_break = connector.get('tie_break') or ("_cdc_op = 'd'" if connector['position_identifies_row'] else before_record) %}
  {% set named = "concat(if(_cdc_op = 'r', coalesce(lpad(cast(unix_millis(_cdc_processed_ts) as string), 15, '0'), ''), ''), '_', coalesce(_cdc_source_" ~ connector['names_events'] ~ ", '')), " if connector.get('names_events') else '' %}
  {{ return(
    "concat_ws('.', _cdc_position, if(_cdc_snapshot = 'none', '1', '0'), "
    ~ ("lpad(cast(coalesce(_cdc_tx_order, 0) as string), 10, '0'), " if afterimage.transaction_order_decides(contract) else '')
    ~ ("if(" ~ tie_break ~ ", '0', '1')" if tie_break else "'1'") ~ ", " ~ named ~ "lpad(cast(_cdc_partition as string), 6, '0'), lpad(cast(_cdc_offset as string), 20, '0')"
    ~ (', _cdc_topic' if contract['topics'] | length > 1 else '') ~ ")") }}
{% endmacro %}
