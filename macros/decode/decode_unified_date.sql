{#
  Unified type date of Datastream: 2024-02-08; of MySQL the midnight of it, 2024-02-08T00:00:00Z; or days since 1970. Out: as decode_date.
  Any other time of a day is no date, and refused.
#}
{% macro decode_unified_date(type, settings) %}
  {% set found = afterimage.decode_date(type, {'time_precision_mode': 'isostring'}) %}
  {% set text = "regexp_replace({raw}, 'T00:00:00([.]0+)?(Z|[+]00:00)?$', '')" %}
  {% set text = "case when {raw} rlike '^-?[0-9]{1,7}$' then cast(date_from_unix_date(try_cast({raw} as int)) as string) else " ~ text ~ " end" %}
  {{ return(afterimage.decoder_behind(found, text)) }}
{% endmacro %}


{#
  A decoder of a text that is made of the literal first, once; it may be infinity or -infinity. In: decoder; text, SQL of {raw}. Out: decoder.
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
