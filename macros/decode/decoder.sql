{#
  How a column of a source type is read: the one place that knows which family decodes a type.

  In:  source_type as the database names it ("numeric(12,2)", "timestamp(3)", "text[]", "int unsigned"), contract.
  Out: none for an unknown type, else a dict of SQL templates in which {raw} stands for the literal read from JSON:
    literal  type the JSON value is read as (a column type of from_json)
    type     Spark type of the decoded column
    value    the decoded value; NULL where `special` speaks
    special  canonical text of a value the Spark type cannot hold (infinity, NaN, years outside 1..9999), else NULL; may be none
    unknown  true when the literal is the connector's placeholder for "not sent"; may be none
    refuse   true when the literal does not fit the declared type; may be none
    scale    digits behind the point that the literal is taken to have, where it does not tell; may be none
    from_number  the decoded value where a header of a key change has a bare number instead; may be none
#}
{% macro decoder(source_type, contract) %}
  {% set connector = afterimage.connector(contract) %}
  {% set parsed = afterimage._parse_type(source_type, connector) %}
  {% if parsed is none %}{{ return(none) }}{% endif %}
  {% for family, names in connector['types'].items() if parsed['name'] in names %}
    {% set element = context['afterimage']['decode_' ~ family](parsed, contract['settings']) %}
    {{ return(afterimage.decode_array(element, parsed, contract['settings']) if parsed['is_array'] else element) }}
  {% endfor %}
  {{ return(none) }}
{% endmacro %}


{#
  "numeric(12,2)[]" -> {name: numeric, arguments: [12, 2], is_array: true, is_unsigned: false}; none when it is no type text.
  The labels of enum('S','M') are not needed to read it.
#}
{% macro _parse_type(source_type, connector) %}
  {% set text = modules.re.sub("^(enum|set)[(].*[)]$", "\\1", source_type | lower | trim) %}
  {% set found = modules.re.match(
    '^([a-z][a-z0-9_]*(?: (?:varying|precision))?)\\s*(?:\\(\\s*([0-9]+)\\s*(?:,\\s*(-?[0-9]+)\\s*)?\\))?( with time zone| without time zone)?( unsigned)?( zerofill)?((?:\\[\\])*)$',
    text) %}
  {% if not found %}{{ return(none) }}{% endif %}
  {% set zone = found.group(4) or '' %}
  {% set name = found.group(1) ~ ('tz' if zone == ' with time zone' else '') %}
  {% set name = connector['type_aliases'].get(name, name) %}
  {% set arguments = [] %}
  {% for position in [2, 3] if found.group(position) is not none %}{% do arguments.append(found.group(position) | int) %}{% endfor %}
  {{ return({
    'name': name,
    'arguments': arguments or connector['type_arguments'].get(name, []),
    'is_unsigned': (found.group(5) or found.group(6)) is not none,
    'is_array': (found.group(7) or '') != '',
    'text': source_type,
  }) }}
{% endmacro %}


{# All type names a contract of this connector may use, for messages. #}
{% macro type_names(contract) %}
  {% set connector = afterimage.connector(contract) %}
  {% set names = connector['type_aliases'].keys() | list %}
  {% for family in connector['types'].values() %}{% do names.extend(family) %}{% endfor %}
  {{ return(names | sort) }}
{% endmacro %}


{# Fills a decoder's template: {raw} becomes the SQL expression. #}
{% macro fill(template, raw) %}
  {{ return(template | replace('{raw}', raw)) }}
{% endmacro %}
