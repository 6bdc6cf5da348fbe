{#
  The decoder of a column, which may have had other types earlier (contract: former_types): each change is read by the type that applies at its
  position in the log, and the value converted to the current type of the column.

  A JSON value does not say its type: the base64 of numeric(10,2) and of numeric(10,4) differ only in what they mean.
  In:  name; source_type; contract. Out: as decoder(), in a step that has `position`.
#}
{% macro decoder_of_column(name, source_type, contract) %}
  {% set newest = afterimage.decoder(source_type, contract) %}
  {% set former = (contract['former_types'] or {}).get(name) %}
  {% if not former or newest is none %}{{ return(newest) }}{% endif %}
  {% set decoders, others = [newest], [] %}
  {% for until, type in former | dictsort %}{% do decoders.append(afterimage.decoder(type, contract)) %}{% endfor %}
  {% set literals = decoders | map(attribute='literal') | unique(case_sensitive=true) | list %}
  {% set literal = literals[0] if literals | length == 1 else 'variant' if 'variant' in literals else 'string' %}
  {% for until, type in former | dictsort %}
    {% do others.append(("when position < '" ~ afterimage.escape_text(until) ~ "' then ", afterimage._read_as(decoders[loop.index], literal, newest['type']))) %}
  {% endfor %}
  {{ return(afterimage._by_case(afterimage._read_as(newest, literal, newest['type']), others)) }}
{% endmacro %}


{# The templates of a decoder for a raw value read as `literal`, the value converted to another type; a loss in either step is refused. #}
{% macro _read_as(decoder, literal, type) %}
  {% set raw = '{raw}' if decoder['literal'] == literal else 'try_cast({raw} as ' ~ decoder['literal'] ~ ')' %}
  {% set found = {'literal': literal, 'type': type} %}
  {% for part in ['value', 'special', 'unknown', 'refuse', 'scale', 'schema_names', 'quoted'] if decoder.get(part) is not none %}
    {% do found.update({part: decoder[part] | string | replace('{raw}', raw)}) %}
  {% endfor %}
  {% set lost = '{raw} is not null and ' ~ raw ~ ' is null' if raw != '{raw}' else 'false' %}
  {% if decoder['type'] != type %}
    {% set value = 'try_cast(' ~ found['value'] ~ ' as ' ~ type ~ ')' %}
    {% set lost = lost ~ ' or (' ~ found['value'] ~ ' is not null and ' ~ value ~ ' is null)' %}
    {% do found.update({'value': value}) %}
  {% endif %}
  {{ return(dict(found, refuse='(' ~ lost ~ ' or coalesce(' ~ found.get('refuse', 'false') ~ ', false))')) }}
{% endmacro %}
