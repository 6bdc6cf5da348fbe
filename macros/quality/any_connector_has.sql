{# Whether the connector of any of some contracts has a trait, see connector(). In: contracts; trait, its name. Out: true or false. #}
{% macro any_connector_has(contracts, trait) %}
  {% for contract in contracts if afterimage.connector(contract).get(trait) %}{{ return(true) }}{% endfor %}
  {{ return(false) }}
{% endmacro %}
