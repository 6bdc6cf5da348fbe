{#
  Template of a decoder's `unknown` for a column whose NULL in an update, or in the create of a key change, may mean that it was not sent.
  PostgreSQL does not send a long value that an update leaves alone; for most arrays, bytea as base64 and others Debezium then writes null
  (captured with 3.6.3: docs/concepts/values.md). An update that has the row before it under the same key belongs to a table with REPLICA IDENTITY
  FULL, whatever the contract says: all values are sent. In: the decoder's own template, or none; contract. Used in a step that has op and old_key.
#}
{% macro unknown_or_null(unknown, contract) %}
  {% set same_key = [] %}
  {% for column in contract['columns'] if column['name'] in contract['key'] %}
    {% set field = '.`' ~ column.get('member', column['field']) ~ '`' %}
    {% do same_key.append('before' ~ field ~ ' = after' ~ field) %}
  {% endfor %}
  {% set may_be_whole = same_key and afterimage.sends_row_before(contract) and not afterimage.connector(contract)['before_is_whole'] %}
  {% set all_is_sent = ' and not coalesce(' ~ same_key | join(' and ') ~ ', false)' if may_be_whole else '' %}
  {{ return("(" ~ (unknown ~ " or " if unknown else "") ~ "{raw} is null and (op in ('u', 'x') or old_key is not null)" ~ all_is_sent ~ ")") }}
{% endmacro %}
