{#
  The id of a transaction in a record of the topic of transactions, as changes have it in _cdc_tx_id. In and out: SQL text.
    postgresql   `571:53195832`, whose second part is the place of the record alone: 571
    oracle       `5.6.641`; changes may have the same as eight bytes in hex, low bytes first within each part: 0500060081020000
  Source: Debezium documentation, "transaction metadata" of each connector.
#}
{% macro transaction_id(id, contract) %}
  {% if contract['connector'] == 'postgresql' %}{{ return("substring_index(" ~ id ~ ", ':', 1)") }}{% endif %}
  {% if contract['connector'] == 'oracle' %}{{ return(afterimage._transaction_id_oracle(id)) }}{% endif %}
  {{ return(id) }}
{% endmacro %}


{# Either form of Oracle's as the one with points. In and out: SQL text. #}
{% macro _transaction_id_oracle(id) %}
  {% set parts = [] %}
  {% for first, bytes in [(1, 2), (5, 2), (9, 4)] %}
    {% set low_first = [] %}
    {% for byte in range(bytes) | reverse %}{% do low_first.append('substring(' ~ id ~ ', ' ~ (first + 2 * byte) ~ ', 2)') %}{% endfor %}
    {% do parts.append('conv(concat(' ~ low_first | join(', ') ~ '), 16, 10)') %}
  {% endfor %}
  {{ return("if(" ~ id ~ " rlike '^[0-9A-Fa-f]{16}$', concat_ws('.', " ~ parts | join(', ') ~ "), " ~ id ~ ")") }}
{% endmacro %}
