{#
  A decoder whose values become the SHA-256 of their text (contract: masked), so that they can be distinguished. There is no salt:
  anyone who can guess a value (a number, a date, an address) can find it. Binary values are hashed directly.
  In: decoder (see decoder). Out: the same with type string; an instant is hashed as its microseconds, NULL stays NULL.
#}
{% macro hashed_decoder(decoder) %}
  {% set text = decoder['value'] if decoder['type'] == 'binary' else afterimage.key_part(decoder['value'], decoder['type']) %}
  {% set hashed = dict(decoder, type='string', value='sha2(' ~ text ~ ', 256)', plain=none, plain_literal=none) %}
  {% if decoder.get('special') %}{% do hashed.update({'special': 'sha2(' ~ decoder['special'] ~ ', 256)'}) %}{% endif %}
  {% if decoder.get('from_bare') %}{% do hashed.update({'from_bare': 'sha2(' ~ afterimage.key_part(decoder['from_bare'], decoder['type']) ~ ', 256)'}) %}{% endif %}
  {{ return(hashed) }}
{% endmacro %}
