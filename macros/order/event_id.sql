{#
  SQL text that identifies a change, the same however often the change is delivered: e.g. 00000000000034338672:u:1:5f0c….
  Its parts: position, op, transaction order where it says more (see transaction_order_decides), key and image.
  Nothing that a redelivery may change (offset, outer times, headers, sequence[0]) is part of it. Where each event has its own name
  (names_events, see datastream_connector), so is the name: two events with one image at one position are two.
  In: contract; image_hash, SQL of the hash that distinguishes images. Out: SQL over the columns of a change log.
#}
{% macro event_id(contract, image_hash) %}
  {% set key = '_cdc_key' if contract['truncate_empties'] == 'table' else 'coalesce(_cdc_key, _cdc_source_table)' %}
  {% set name = afterimage.connector(contract).get('names_events') %}
  {{ return(
    "concat_ws(':', _cdc_position, _cdc_op, " ~ ("coalesce(cast(_cdc_tx_order as string), '')" if afterimage.transaction_order_decides(contract) else "''") ~ ', '
    ~ afterimage.hex_text("xxhash64(" ~ key ~ ", " ~ image_hash ~ (", _cdc_source_" ~ name if name else '') ~ ")") ~ ")") }}
{% endmacro %}
