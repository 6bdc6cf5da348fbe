{#
  The total order of the changes of a table as one text.
  position, then a stream event after a snapshot row of equal position, then transaction order,
  then the delete of a key change before its create, then the landing coordinate.
  In: names of the columns of the calling step; topic is none for a table of one topic; place_is_of_a_row (see connector): where it is not, a
      row may be created and deleted at one place, and only the landing coordinate tells which came first; connector, where its events have
      names (see datastream_connector): these then order what lies at one place, and of backfilled rows, which all do, the newest read.
  Out: SQL text expression.
#}
{% macro change_order(position, snapshot, tx_order, op, partition, offset, topic=none, place_is_of_a_row=true, connector={}) %}
  {% set goes_first = "if(" ~ connector['goes_first'] ~ ", '0', '1')" if connector.get('goes_first') else "if(" ~ op ~ " = 'd', '0', '1')" if place_is_of_a_row else "'1'" %}
  {% set named = "concat(if(" ~ op ~ " = 'r', coalesce(lpad(cast(unix_millis(_cdc_processed_ts) as string), 15, '0'), ''), ''), '_', coalesce(_cdc_source_" ~ connector['names_events'] ~ ", '')), " if connector.get('names_events') else '' %}
  {{ return(
    "concat_ws('.', " ~ position ~ ", if(" ~ snapshot ~ " = 'none', '1', '0'), lpad(cast(coalesce(" ~ tx_order ~ ", 0) as string), 10, '0'), "
    ~ goes_first ~ ", " ~ named ~ "lpad(cast(" ~ partition ~ " as string), 6, '0'), lpad(cast(" ~ offset ~ " as string), 20, '0')"
    ~ (', ' ~ topic if topic else '') ~ ")") }}
{% endmacro %}


{# The same of a change log's columns. In: contract. #}
{% macro change_order_of(contract) %}
  {% set connector = afterimage.connector(contract) %}
  {{ return(afterimage.change_order('_cdc_position', '_cdc_snapshot', '_cdc_tx_order', '_cdc_op', '_cdc_partition', '_cdc_offset',
                                    '_cdc_topic' if contract['topics'] | length > 1 else none, connector['place_is_of_a_row'], connector)) }}
{% endmacro %}
