{# Whether the events of any of some contracts have names of their own, and may land in any order (see datastream_connector). Out: true or false. #}
{% macro any_names_events(contracts) %}
  {% for contract in contracts if afterimage.connector(contract).get('names_events') %}{{ return(true) }}{% endfor %}
  {{ return(false) }}
{% endmacro %}
