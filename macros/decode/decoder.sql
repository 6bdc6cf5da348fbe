{#
  How a column of a source type is read: the one place that knows which family decodes a type.

  In:  source_type as the database names it ("numeric(12,2)", "timestamp(3)", "text[]"), settings of the contract.
  Out: none for an unknown type, else a dict of SQL templates in which {raw} stands for the literal read from JSON:
    literal  type the JSON value is read as (a column type of from_json)
    type     Spark type of the decoded column
    value    the decoded value; NULL where `special` speaks
    special  canonical text of a value the Spark type cannot hold (infinity, NaN, years outside 1..9999), else NULL; may be none
    unknown  true when the literal is the connector's placeholder for "not sent"; may be none
    refuse   true when the literal does not fit the declared type; may be none
#}
{% macro decoder(source_type, settings) %}
  {% set parsed = afterimage._parse_type(source_type) %}
  {% if parsed is none %}{{ return(none) }}{% endif %}
  {% set family = afterimage._type_family(parsed['name']) %}
  {% if family is none %}{{ return(none) }}{% endif %}
  {% set element = context['afterimage']['decode_' ~ family](parsed, settings) %}
  {{ return(afterimage.decode_array(element, parsed, settings) if parsed['is_array'] else element) }}
{% endmacro %}


{# "numeric(12,2)[]" -> {name: numeric, arguments: [12, 2], is_array: true}; none when it is no type text. #}
{% macro _parse_type(source_type) %}
  {% set found = modules.re.match(
    '^([a-z][a-z0-9_]*(?: (?:varying|precision))?)\\s*(?:\\(\\s*([0-9]+)\\s*(?:,\\s*(-?[0-9]+)\\s*)?\\))?( with time zone| without time zone)?((?:\\[\\])*)$',
    source_type | lower | trim) %}
  {% if not found %}{{ return(none) }}{% endif %}
  {% set arguments = [] %}
  {% for position in [2, 3] %}
    {% if found.group(position) is not none %}{% do arguments.append(found.group(position) | int) %}{% endif %}
  {% endfor %}
  {% set zone = found.group(4) or '' %}
  {% set name = found.group(1) %}
  {% if zone == ' with time zone' %}{% set name = name ~ 'tz' %}{% endif %}
  {{ return({'name': name, 'arguments': arguments, 'is_array': (found.group(5) or '') != '', 'text': source_type}) }}
{% endmacro %}


{# Source type name -> family (a file of this folder). PostgreSQL names and their aliases. #}
{% macro _type_names() %}
  {{ return({
    'boolean': ['boolean', 'bool'],
    'integer': ['smallint', 'int2', 'smallserial', 'integer', 'int', 'int4', 'serial', 'bigint', 'int8', 'bigserial', 'oid'],
    'float': ['real', 'float4', 'double precision', 'float8'],
    'numeric': ['numeric', 'decimal', 'money'],
    'text': ['text', 'varchar', 'character varying', 'char', 'character', 'bpchar', 'citext', 'name', 'uuid', 'xml', 'json', 'jsonb',
             'enum', 'ltree', 'inet', 'cidr', 'macaddr', 'macaddr8', 'timetz', 'tsvector', 'hstore',
             'int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange'],
    'binary': ['bytea'],
    'bits': ['bit', 'varbit', 'bit varying'],
    'date': ['date'],
    'time': ['time'],
    'timestamp': ['timestamp'],
    'timestamptz': ['timestamptz'],
    'interval': ['interval'],
    'point': ['point'],
  }) }}
{% endmacro %}


{% macro _type_family(name) %}
  {% for family, names in afterimage._type_names().items() %}
    {% if name in names %}{{ return(family) }}{% endif %}
  {% endfor %}
  {{ return(none) }}
{% endmacro %}


{# All type names a contract may use, for messages. #}
{% macro type_families() %}
  {% set names = [] %}
  {% for family in afterimage._type_names().values() %}{% do names.extend(family) %}{% endfor %}
  {{ return(names | sort) }}
{% endmacro %}


{# Fills a decoder's template: {raw} becomes the SQL expression. #}
{% macro fill(template, raw) %}
  {{ return(template | replace('{raw}', raw)) }}
{% endmacro %}
