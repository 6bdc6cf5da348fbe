{#
  Columns for which Debezium writes null where the database did not send a long value that an update left alone, although the contract does not
  say how to read such a null. Only types whose values are often long: numeric and bit have the same fault beyond a thousand digits.
  In: contract. Out: list of text, "tags (numeric[])". Source: seen with Debezium 3.6.3 (docs/concepts/values.md, A NULL that means not sent).
#}
{% macro columns_null_when_not_sent(contract) %}
  {% set found, types = [], afterimage.connector(contract).get('null_when_not_sent_types') %}
  {% if not types or contract['null_when_not_sent'] is not none or contract['replica_identity'] == 'full' %}{{ return(found) }}{% endif %}
  {% set mode = contract['settings'].get('binary_handling_mode') %}
  {% set as_text = mode in ['base64', 'base64-url-safe'] %}
  {% set elements = types['elements'] | reject('equalto', 'bytea' if as_text or mode == 'hex' else none) | list %}
  {% for column in contract['columns'] if column['name'] not in contract['key'] %}
    {% set type = afterimage.parsed_type(column['source_type'], contract) %}
    {% if type and (type['name'] not in elements if type['is_array'] else type['name'] in types['alone'] or (as_text and type['name'] == 'bytea')) %}
      {% do found.append(column['name'] ~ ' (' ~ column['source_type'] ~ ')') %}
    {% endif %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}
