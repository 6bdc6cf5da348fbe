{#
  How a column of a source type is read: the one place that maps a type to the family that decodes it.

  In:  source_type as the database names it ("numeric(12,2)", "timestamp(3)", "text[]", "int unsigned"), contract.
  Out: none for an unknown type, else a dict of SQL templates in which {raw} is the literal read from JSON:
    literal  type the JSON value is read as (a column type of from_json)
    type     Spark type of the decoded column
    value    the decoded value; where `special` is not NULL, NULL or the part the Spark type can hold
    special  canonical text of a value the Spark type cannot hold (infinity, NaN, years outside 1..9999) or only in part (digits below
             microseconds), else NULL; may be none
    unknown  true when the literal is the connector's placeholder for "not sent"; may be none
    refuse   true when the literal does not fit the declared type; may be none
    scale    digits after the decimal point that the literal is taken to have, where it does not say; may be none
    from_bare    the decoded value where a header of a key change has a text without quotes instead, which begins with a match of the regular
                 expression bare_form; may be none
    schema_names  SQL array of the names a schema block may give a field whose numbers are of this unit; may be none
    quoted   what the text is (base64), where a number, true or false without quotes would be read as such too; may be none
    digits_behind  digits after the decimal point that a JSON number may have, where reading it rounds; may be none
    under    words after the declared type in the detail of a refusal, which say what else it depends on; may be none
    in_bytes, in_hex   true for bytes that are base64 without a text of the connector's own, and for hexadecimal text; may be none
    bare     true when quotes around the literal would make it another value, although it is read with them as well; may be none
    plain    the value of a literal that is plainly of its type, NULL for any other, see plain_value; may be none
    plain_literal  type such a literal is read as, where it is narrower than `literal`; may be none
#}
{% macro decoder(source_type, contract) %}
  {% set connector = afterimage.connector(contract) %}
  {% set parsed = afterimage.parse_type(source_type, connector) %}
  {% if parsed is none or (parsed['is_array'] and not connector.get('has_arrays')) %}{{ return(none) }}{% endif %}
  {% set family = afterimage.type_family(parsed, contract) %}
  {% if family is none %}{{ return(none) }}{% endif %}
  {% set element = context['afterimage']['decode_' ~ family](parsed, contract['settings']) %}
  {% if connector.get('lobs_may_be_off') and parsed['name'] in connector['lobs'] and not contract['settings']['lob_enabled'] %}{{ return(afterimage.lob_decoder(element)) }}{% endif %}
  {{ return(afterimage.array_decoder(element, parsed, contract['settings']) if parsed['is_array'] else element) }}
{% endmacro %}


{# The family of a type, whose decoder is decode_<family>; none for an unknown type. In: parsed (see parse_type), contract. #}
{% macro type_family(parsed, contract) %}
  {% for family, names in afterimage.connector(contract)['types'].items() if parsed['name'] in names %}{{ return(family) }}{% endfor %}
  {{ return(none) }}
{% endmacro %}


{#
  "numeric(12,2)[]" -> {name: numeric, arguments: [12, 2], is_array: true, is_unsigned: false}; none when it is no type text.
  Parts that do not affect how a value is written are skipped: the labels of enum('S','M'), the fields of an interval, a character set, the
  shape of geometry(Point,4326), the length of an array. An array of arrays is no type: the connector cannot send its elements.
  In: source_type; connector (see connector). Out: that dict, or none.
#}
{% macro parse_type(source_type, connector) %}
  {% set text = modules.re.sub('\\s+', ' ', source_type | lower | trim) %}
  {% set text = modules.re.sub('^(enum|set) ?[(].*[)]', '\\1', text) %}
  {# Oracle's number(*,2) is number(38,2) #}
  {% set text = modules.re.sub(' ?[(] ?[*] ?[)]', '', modules.re.sub('[(] ?[*] ?,', '(38,', text)) %}
  {% set array = modules.re.search('(?: ?\\[ ?[0-9]* ?\\]| array(?: ?\\[ ?[0-9]+ ?\\])?)$', text) %}
  {% set text = text[:array.start()] if array else text %}
  {% set text = modules.re.sub('(?:' ~ connector.get('type_attributes', '') ~ ')$', '', text) %}
  {% set found = modules.re.match(
    '^([a-z][a-z0-9_]*(?: [a-z]+)*?)(?: ?[(] ?([a-z0-9 ,-]*?) ?[)])?( with time zone| with local time zone| without time zone)?( unsigned)?( zerofill)?$', text) %}
  {% if not found %}{{ return(none) }}{% endif %}
  {% set name = found.group(1) ~ ('tz' if (found.group(3) or '').startswith(' with ') else '') %}
  {% set alias = connector['type_aliases'].get(name, '') %}
  {% set arguments, words = [], [] %}
  {% for argument in (found.group(2) or '').split(',') if found.group(2) %}
    {% if modules.re.match('^ ?-?[0-9]+ ?$', argument) %}{% do arguments.append(argument | int) %}{% else %}{% do words.append(argument) %}{% endif %}
  {% endfor %}
  {% set base = alias.removesuffix(' unsigned') or name %}
  {% if words and base not in connector.get('types_with_words', []) %}{{ return(none) }}{% endif %}
  {{ return({
    'name': base,
    'arguments': arguments or connector['type_arguments'].get(base, []),
    'is_unsigned': alias.endswith(' unsigned') or (found.group(4) or found.group(5)) is not none,
    'is_array': array is not none,
    'has_bare_values': connector.get('has_bare_values', false),
    'zero_dates': connector.get('zero_dates', false),
    'floating_intervals': connector.get('floating_intervals', false),
    'wrapped_nanoseconds': connector.get('wrapped_nanoseconds', {}),
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


{# The parts of a type's text as the contract's connector reads it (see decoder): name, arguments, is_array, …; none when it is no type. #}
{% macro parsed_type(source_type, contract) %}
  {{ return(afterimage.parse_type(source_type, afterimage.connector(contract))) }}
{% endmacro %}
