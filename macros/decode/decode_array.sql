{#
  type[]: a JSON array of the element's literals, nulls among them. Each element is decoded by its own family.
  Where one element has no Spark value, the whole array is kept as JSON text in `special`.
  Not sent: text[] holds the placeholder as its only element, numeric kinds the placeholder's bytes.
#}
{% macro decode_array(element, settings) %}
  {% set placeholder = settings['unavailable_value_placeholder'] %}
  {% set is_text = element['literal'] == 'string' %}
  {% set is_number = element['literal'] in ['int', 'bigint', 'smallint'] %}
  {% set bytes = [] %}
  {% for byte in placeholder.encode('utf-8') %}{% do bytes.append(byte) %}{% endfor %}
  {% set value = "transform({raw}, e -> " ~ afterimage.fill(element['value'], 'e') ~ ")" if element['value'] != '{raw}' else '{raw}' %}
  {% set has_special = "exists({raw}, e -> " ~ afterimage.fill(element['special'], 'e') ~ " is not null)" if element.get('special') else none %}
  {{ return({
    'literal': 'array<' ~ element['literal'] ~ '>',
    'type': 'array<' ~ element['type'] ~ '>',
    'value': "case when not " ~ has_special ~ " then " ~ value ~ " end" if has_special else value,
    'special': "case when " ~ has_special ~ " then to_json(transform({raw}, e -> coalesce(" ~ afterimage.fill(element['special'], 'e')
               ~ ", cast(" ~ afterimage.fill(element['value'], 'e') ~ " as string)))) end" if has_special else none,
    'unknown': "{raw} = array('" ~ afterimage.escape_text(placeholder) ~ "')" if is_text
               else "{raw} = cast(array(" ~ bytes | join(', ') ~ ") as array<" ~ element['literal'] ~ ">)" if is_number else none,
    'refuse': "exists({raw}, e -> " ~ afterimage.fill(element['refuse'], 'e') ~ ") and not {raw} = array('" ~ afterimage.escape_text(placeholder) ~ "')"
              if element.get('refuse') and is_text else none,
  }) }}
{% endmacro %}
