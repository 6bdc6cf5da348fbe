{#
  Names of the columns of a contract that its connector treats as LOBs, by type or because they may be so long: their values may be left out,
  and an update's before image never has them. In: contract. Out: list of text.
#}
{% macro lob_columns(contract) %}
  {% set connector, found = afterimage.connector(contract), [] %}
  {% for column in contract['columns'] if connector.get('lobs') %}
    {% set type = afterimage.parse_type(column['source_type'], connector) or {'name': '', 'arguments': []} %}
    {% set size = (type['arguments'] or [0])[0] %}
    {% set is_long = size > connector.get('longest', {}).get(type['name'], size) or modules.re.search('[(] ?max ?[)]', column['source_type'] | lower) %}
    {% if type['name'] in connector['lobs'] or is_long %}{% do found.append(column['name']) %}{% endif %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}
