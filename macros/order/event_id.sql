{#
  Identity of a change, the same however often it is delivered: position, op, transaction order where it tells more (see
  transaction_order_tells), key and image.
  Nothing that a redelivery may change (offset, outer times, headers, sequence[0]) is part of it. Where each event has a name of its own
  (names_events, see datastream_connector) that is part of it too: two of one image at one place are two.
  In: contract; image_hash, SQL of the hash that tells images apart. Out: SQL text of a change log's columns, e.g. 00000000000034338672:u:1:5f0c….
#}
{% macro event_id(contract, image_hash) %}
  {% set key = '_cdc_key' if contract['truncate_empties'] == 'table' else 'coalesce(_cdc_key, _cdc_source_table)' %}
  {% set name = afterimage.connector(contract).get('names_events') %}
  {{ return(
    "concat_ws(':', _cdc_position, _cdc_op, " ~ ("coalesce(cast(_cdc_tx_order as string), '')" if afterimage.transaction_order_tells(contract) else "''") ~ ', '
    ~ afterimage.hex_text("xxhash64(" ~ key ~ ", " ~ image_hash ~ (", _cdc_source_" ~ name if name else '') ~ ")") ~ ")") }}
{% endmacro %}
