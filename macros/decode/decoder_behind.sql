{#
  A decoder that first converts the literal to a text, once; the text may be infinity or -infinity. In: decoder; text, SQL of {raw}. Out: decoder.
#}
{% macro decoder_behind(decoder, text) %}
  {% set of_text = "get(transform(array(" ~ text ~ "), t -> %s), 0)" %}
  {% set is_infinite = "t in ('infinity', '-infinity')" %}
  {{ return({
    'literal': 'string',
    'type': decoder['type'],
    'value': of_text | replace('%s', decoder['value'] | replace('{raw}', 't')),
    'special': of_text | replace('%s', 'if(' ~ is_infinite ~ ', t, ' ~ decoder['special'] | replace('{raw}', 't') ~ ')'),
    'refuse': "{raw} is not null and " ~ of_text | replace('%s', 't is null or (not ' ~ is_infinite ~ ' and ' ~ decoder['refuse'] | replace('{raw}', 't') ~ ')'),
  }) }}
{% endmacro %}
