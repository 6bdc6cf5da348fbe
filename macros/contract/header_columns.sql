{#
  The Kafka headers that a change log shows: {_cdc_header_<name>: name of the header}, with one _ for each character other than A-Z, a-z, 0-9.
  In: contract, or none. Out: map of text.
#}
{% macro header_columns(contract) %}
  {% set columns = {} %}
  {% for name in (contract or {}).get('headers') or [] %}{% do columns.update({'_cdc_header_' ~ modules.re.sub('[^A-Za-z0-9]+', '_', name): name}) %}{% endfor %}
  {{ return(columns) }}
{% endmacro %}
