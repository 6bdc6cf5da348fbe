{#
  The total order of the changes of a table as one text, of a change log's columns.
  position, then a stream event after a snapshot row of equal position, then transaction order where it tells more (see
  transaction_order_tells), then what goes first at its place, then the landing coordinate. Where a place is that of a row (see connector) the delete of a key change goes before its create; where it is not, a row
  may be created and deleted at one place, and only the landing coordinate tells which came first. Where events have names (see
  datastream_connector) these order what lies at one place, and of backfilled rows, which all do, the newest read.
  In: contract; first_half, SQL that tells a delete that goes before its create though a place may be of several rows, or none. Out: SQL text.
#}
{% macro change_order(contract, first_half=none) %}
  {% set connector = afterimage.connector(contract) %}
  {% set tie_break = connector.get('tie_break') or ("_cdc_op = 'd'" if connector['position_identifies_row'] else first_half) %}
  {% set named = "concat(if(_cdc_op = 'r', coalesce(lpad(cast(unix_millis(_cdc_processed_ts) as string), 15, '0'), ''), ''), '_', coalesce(_cdc_source_" ~ connector['names_events'] ~ ", '')), " if connector.get('names_events') else '' %}
  {{ return(
    "concat_ws('.', _cdc_position, if(_cdc_snapshot = 'none', '1', '0'), "
    ~ ("lpad(cast(coalesce(_cdc_tx_order, 0) as string), 10, '0'), " if afterimage.transaction_order_tells(contract) else '')
    ~ ("if(" ~ tie_break ~ ", '0', '1')" if tie_break else "'1'") ~ ", " ~ named ~ "lpad(cast(_cdc_partition as string), 6, '0'), lpad(cast(_cdc_offset as string), 20, '0')"
    ~ (', _cdc_topic' if contract['topics'] | length > 1 else '') ~ ")") }}
{% endmacro %}
