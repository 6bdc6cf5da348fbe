{#
  The name a column has in events: its own, unless field.name.adjustment.mode makes one that Avro accepts.
  In:  name of the column in the database; mode, none, avro or avro_unicode. Out: text.
  A letter is a unit of UTF-16, so one beyond U+FFFF becomes two. The column cannot be derived from such a name, so the name is derived from it.
  Source: Debezium documentation, field.name.adjustment.mode; leading digits as in captures names-avro and names-avro-unicode.
#}
{% macro field_name(name, mode) %}
  {% if mode == 'none' %}{{ return(name) }}{% endif %}
  {% set bytes = name.encode('utf-16-be') %}
  {% set letters = [] %}
  {% for place in range(0, bytes | length, 2) %}
    {% set number = bytes[place] * 256 + bytes[place + 1] %}
    {% set letter = '%c' % number %}
    {% set is_first_digit = place == 0 and letter in '0123456789' %}
    {% if modules.re.match('[A-Za-z0-9]', letter) and not is_first_digit %}
      {% do letters.append(letter) %}
    {% elif mode == 'avro' %}
      {% do letters.append('_' ~ (letter if is_first_digit else '')) %}
    {% else %}
      {% set digits = '%x' % number %}
      {% do letters.append('_u' ~ ('00' if digits | length <= 2 else '') ~ digits) %}
    {% endif %}
  {% endfor %}
  {{ return(letters | join) }}
{% endmacro %}
