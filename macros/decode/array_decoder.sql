{#
  The decoder of type[]: a JSON array of the element's literals, including nulls. Each element is decoded by its own family.
  Where one element has no Spark value, the full array is kept as JSON text in `special`.
  Not sent: the placeholder as the only element, as its own type writes it: text unchanged, bytea encoded,
  uuid as the UUID of that name (RFC 4122, version 3); numbers as the placeholder's bytes.
#}
{% macro array_decoder(element, type, settings) %}
  {% if type['name'] == 'uuid' %}
    {% set unknown = "{raw} = array(" ~ afterimage.placeholder_uuid(settings) ~ ")" %}
  {% elif element.get('unknown') %}
    {% set unknown = "size({raw}) = 1 and " ~ afterimage.fill(element['unknown'], 'get({raw}, 0)') %}
  {% elif element['literal'] == 'string' %}
    {% set unknown = "{raw} = array(" ~ afterimage.literal(settings['unavailable_value_placeholder']) ~ ")" %}
  {% elif element['literal'] in ['int', 'bigint', 'smallint'] %}
    {% set unknown = "{raw} = cast(" ~ afterimage.placeholder_numbers(settings) ~ " as array<" ~ element['literal'] ~ ">)" %}
  {% else %}
    {% set unknown = none %}
  {% endif %}
  {% set value = "transform({raw}, e -> " ~ afterimage.fill(element['value'], 'e') ~ ")" if element['value'] != '{raw}' else '{raw}' %}
  {% set has_special = "exists({raw}, e -> " ~ afterimage.fill(element['special'], 'e') ~ " is not null)" if element.get('special') else none %}
  {{ return({
    'literal': 'array<' ~ element['literal'] ~ '>',
    'type': 'array<' ~ element['type'] ~ '>',
    'value': "case when not " ~ has_special ~ " then " ~ value ~ " end" if has_special else value,
    'special': "case when " ~ has_special ~ " then to_json(transform({raw}, e -> coalesce(" ~ afterimage.fill(element['special'], 'e')
               ~ ", cast(" ~ afterimage.fill(element['value'], 'e') ~ " as string)))) end" if has_special else none,
    'unknown': unknown,
    'refuse': "exists({raw}, e -> " ~ afterimage.fill(element['refuse'], 'e') ~ ")" ~ (" and not (" ~ unknown ~ ")" if unknown else "") if element.get('refuse') else none,
    'under': element.get('under', ''),
    'scale': element.get('scale'),
    'quoted': element.get('quoted'),
    'schema_names': element.get('schema_names'),
    'in_bytes': element.get('in_bytes'),
    'in_hex': element.get('in_hex'),
    'bare': "exists({raw}, e -> " ~ afterimage.fill(element['bare'], 'e') ~ ")" if element.get('bare') else none,
  }) }}
{% endmacro %}
