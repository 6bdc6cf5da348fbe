{#
  Identity of a change, the same however often it is delivered: position, op, transaction order when sent, key and image.
  Nothing that a redelivery may change (offset, outer times, headers, sequence[0]) is part of it. Where each event has a name of its own
  (names_events, see datastream_connector) that is part of it too: two of one image at one place are two.
  Out: SQL text, e.g. 00000000000034338672:u:1:5f0c….
#}
{% macro event_id(position, op, tx_order, key, image_hash, connector={}) %}
  {% set name = ", _cdc_source_" ~ connector['names_events'] if connector.get('names_events') else '' %}
  {{ return(
    "concat_ws(':', " ~ position ~ ", " ~ op ~ ", coalesce(cast(" ~ tx_order ~ " as string), ''), "
    ~ afterimage.hex_text("xxhash64(" ~ key ~ ", " ~ image_hash ~ name ~ ")") ~ ")") }}
{% endmacro %}


{# The same of a change log's columns. In: contract; identity, SQL of the hash that tells images apart. #}
{% macro event_id_of(contract, identity) %}
  {% set key = '_cdc_key' if contract['truncate_empties'] == 'table' else 'coalesce(_cdc_key, _cdc_source_table)' %}
  {{ return(afterimage.event_id('_cdc_position', '_cdc_op', '_cdc_tx_order', key, identity, afterimage.connector(contract))) }}
{% endmacro %}
