{#
  Names of the columns of a contract that are LOBs to its connector: their values may be left out (decode_lob_left_out), and of an update's
  before image they always are. In: contract. Out: list of text.
#}
{% macro lob_columns(contract) %}
  {% set lobs, found = afterimage.connector(contract).get('lobs', []), [] %}
  {% for column in contract['columns'] if lobs and (afterimage.parsed_type(column['source_type'], contract) or {}).get('name') in lobs %}
    {% do found.append(column['name']) %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}
