{#
  MySQL json: the text of one value. A snapshot has it as the server prints it, with spaces, the binary log without: spaces outside
  strings are dropped, so that reading a row again makes no version. MariaDB's json is text, kept unchanged.
#}
{% macro decode_json(type, settings) %}
  {# possessive: a string of megabytes must not fill Java's stack #}
  {% set in_string = '("[^"\\\\\\\\]*+(?:\\\\\\\\.[^"\\\\\\\\]*+)*+")' %}
  {{ return({
    'literal': 'string',
    'type': 'string',
    'value': "regexp_replace({raw}, '" ~ in_string ~ "|[ \\\\n\\\\r\\\\t]+', '$1')",
    'unknown': "{raw} = " ~ afterimage.literal(settings['unavailable_value_placeholder']),
  }) }}
{% endmacro %}
