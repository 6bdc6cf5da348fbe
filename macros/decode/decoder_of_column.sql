{#
  The decoder of a column, which may have had other types earlier (contract: former_types): each change is read by the type its place in
  the log tells, and the value made one of the type the column has now.

  A JSON value does not say its type: the base64 of numeric(10,2) and of numeric(10,4) differ in nothing but what they mean.
  In:  name; source_type; contract. Out: as decoder(), in a step that has `position`.
#}
{% macro decoder_of_column(name, source_type, contract) %}
  {% set newest = afterimage.decoder(source_type, contract) %}
  {% set former = (contract['former_types'] or {}).get(name) %}
  {% if not former or newest is none %}{{ return(newest) }}{% endif %}
  {% set decoders = [] %}
  {% for until, type in former | dictsort %}{% do decoders.append((until, afterimage.decoder(type, contract))) %}{% endfor %}
  {% set literals = ([newest['literal']] + (decoders | map('last') | map(attribute='literal') | list)) | unique(case_sensitive=true) | list %}
  {% set literal = literals[0] if literals | length == 1 else 'variant' if 'variant' in literals else 'string' %}
  {% set templates = {'literal': literal, 'type': newest['type']} %}
  {% for part in ['value', 'special', 'unknown', 'refuse', 'scale', 'schema_names', 'quoted'] %}
    {% set cases = [] %}
    {% for until, decoder in decoders %}
      {% do cases.append("when position < '" ~ afterimage.escape_text(until) ~ "' then " ~ afterimage._former(decoder, part, literal, newest['type'])) %}
    {% endfor %}
    {% set present = [1] if part == 'refuse' or newest.get(part) is not none else [] %}
    {% for until, decoder in decoders if decoder.get(part) is not none %}{% do present.append(1) %}{% endfor %}
    {% if present %}
      {% do templates.update({part: '(case ' ~ cases | join(' ') ~ ' else ' ~ afterimage._former(newest, part, literal, newest['type']) ~ ' end)'}) %}
    {% endif %}
  {% endfor %}
  {{ return(templates) }}
{% endmacro %}


{# One template of a decoder, for a raw value read as `literal`, the value made one of another type. #}
{% macro _former(decoder, part, literal, type) %}
  {% set raw = '{raw}' if decoder['literal'] == literal else 'try_cast({raw} as ' ~ decoder['literal'] ~ ')' %}
  {% set template = decoder.get(part) | string | replace('{raw}', raw) if decoder.get(part) is not none else none %}
  {% if part == 'value' %}{{ return(template if decoder['type'] == type else 'try_cast(' ~ template ~ ' as ' ~ type ~ ')') }}{% endif %}
  {% if part == 'refuse' %}
    {% set lost = '{raw} is not null and ' ~ raw ~ ' is null' if raw != '{raw}' else 'false' %}
    {% if decoder['type'] != type %}
      {% set value = decoder['value'] | replace('{raw}', raw) %}
      {% set lost = lost ~ ' or (' ~ value ~ ' is not null and try_cast(' ~ value ~ ' as ' ~ type ~ ') is null)' %}
    {% endif %}
    {{ return('(' ~ lost ~ ' or coalesce(' ~ (template or 'false') ~ ', false))') }}
  {% endif %}
  {{ return(template or ('false' if part == 'unknown' else 'null')) }}
{% endmacro %}
