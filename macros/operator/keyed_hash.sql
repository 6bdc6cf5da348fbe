{#
  A key as a keyed hash: `erased:<name of the secret>:<hash>`, which nobody can compute from a guessed key without the secret. A hash of one stays as
  it is; a key that the ledger shows as `sha256:…` (see shown_key) has the hash of the key itself. `afterimage erase` computes the same in Python.
  In: SQL of the key's text; secret, the table with the one secret. Out: SQL text.
#}
{% macro keyed_hash(key, secret) %}
  {{ return(
    "if(" ~ afterimage.is_erased_key(key) ~ ", " ~ key ~ ", concat('erased:', " ~ afterimage.secret_name(secret) ~ ", ':', sha2(concat((select max(secret) from " ~ secret
    ~ "), if(" ~ key ~ " like 'sha256:%', substr(" ~ key ~ ", 8), sha2(" ~ key ~ ", 256))), 256)))") }}
{% endmacro %}


{# The first digits of a hash of the secret, by which events and secret are recognised as belonging together. Out: SQL. #}
{% macro secret_name(secret) %}
  {{ return('(select left(sha2(max(secret), 256), 8) from ' ~ secret ~ ')') }}
{% endmacro %}


{# Whether a key is such a hash. In: SQL of the key's text. Out: SQL. #}
{% macro is_erased_key(key) %}
  {{ return(key ~ " rlike '^erased:[0-9a-f]{8}:[0-9a-f]{64}$'") }}
{% endmacro %}


{# The same of a text that an event has. #}
{% macro is_erased_key_text(text) %}
  {{ return(modules.re.match('^erased:[0-9a-f]{8}:[0-9a-f]{64}$', text) is not none) }}
{% endmacro %}


{#
  The identity of a change (see event_id) with a keyed hash as its fourth part, which was an unkeyed one of key and image: so a redelivery is still
  recognised. In: SQL of it; secret. Out: SQL text.
#}
{% macro event_id_hashed(event_id, secret) %}
  {% set identity = "substring_index(" ~ event_id ~ ", ':', 4)" %}
  {{ return(
    "if(substring_index(" ~ identity ~ ", ':', -1) like 'x%', " ~ event_id ~ ", concat(substring_index(" ~ event_id ~ ", ':', 3), ':x', left(sha2(concat((select max(secret) from "
    ~ secret ~ "), " ~ identity ~ "), 256), 16), substr(" ~ event_id ~ ", length(" ~ identity ~ ") + 1)))") }}
{% endmacro %}


{#
  The erased keys of a table, one row per key: _cdc_erased_hash; _cdc_erased_key, by which events name it, a hash if any does; _cdc_erased_through,
  the position up to which it is erased. In: events, a select of row_key and position; secret. Out: a select.
#}
{% macro erased_keys(events, secret) -%}
select
    hash as _cdc_erased_hash,
    coalesce(max(if({{ afterimage.is_erased_key('row_key') }}, row_key, null)), max(row_key)) as _cdc_erased_key,
    max(position) as _cdc_erased_through
from (
    select row_key, position, {{ afterimage.keyed_hash('row_key', secret) }} as hash
    from ({{ events }}) as declared
) as hashed
group by hash
{%- endmacro %}
