{#
  Everything Debezium sends as text and PostgreSQL prints as that text: characters, uuid, json, enum, network addresses, ranges, …
  The placeholder of a value not sent is the text itself; hstore holds it as key and value, either as JSON text (json)
  or as an object (map), which is kept as JSON text.
#}
{% macro decode_text(type, settings) %}
  {% set placeholder = afterimage.escape_text(settings['unavailable_value_placeholder']) %}
  {% set unknown = "{raw} = '" ~ placeholder ~ "'" if type['name'] != 'hstore'
                   else "{raw} like '{\"" ~ placeholder ~ "\"%'" %}
  {{ return({'literal': 'string', 'type': 'string', 'value': '{raw}', 'unknown': unknown}) }}
{% endmacro %}
