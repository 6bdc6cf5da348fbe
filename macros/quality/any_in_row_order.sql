{# Whether the places of any of some contracts order a row's own changes alone (only_rows_in_order, see connector()). Out: true or false. #}
{% macro any_in_row_order(contracts) %}
  {% for contract in contracts if afterimage.connector(contract).get('only_rows_in_order') %}{{ return(true) }}{% endfor %}
  {{ return(false) }}
{% endmacro %}
