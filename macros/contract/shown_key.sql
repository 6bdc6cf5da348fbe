{#
  The key of a row as ledger and quarantine may show it: itself, its hash where one of its columns is sensitive, NULL for a table without a key.
  In: SQL of the key's text, contract. Out: SQL text.
#}
{% macro shown_key(key, contract) %}
  {% if not contract['key'] %}{{ return('cast(null as string)') }}{% endif %}
  {{ return("if(" ~ afterimage.is_erased_key(key) ~ ", " ~ key ~ ", concat('sha256:', sha2(" ~ key ~ ", 256)))" if contract['key'] | select('in', contract['sensitive']) | list else key) }}
{% endmacro %}
