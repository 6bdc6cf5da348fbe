{#
  Whether any of some contracts has a connector with a trait, see connector(). In: contracts; trait, its name. Out:
  true or false.
#}
{% macro any_connector_has(contracts, trait) %}
  {% for contract in contracts if afterimage.connector(contract).get(trait) %}{{ return(true) }}{% endfor %}
  {{ return(false) }}
{% endmacro %}
