{#
  Identity of a change, the same however often it is delivered: position, op, transaction order when sent, key and image.
  Nothing that a redelivery may change (offset, outer times, headers, sequence[0]) is part of it.
  Out: SQL text, e.g. 00000000000034338672:u:1:5f0c….
#}
{% macro event_id(position, op, tx_order, key, image_hash) %}
  {{ return(
    "concat_ws(':', " ~ position ~ ", " ~ op ~ ", coalesce(cast(" ~ tx_order ~ " as string), ''), "
    ~ afterimage.hex_text("xxhash64(" ~ key ~ ", " ~ image_hash ~ ")") ~ ")") }}
{% endmacro %}
