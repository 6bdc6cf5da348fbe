{#
  The Kafka headers that a change log shows: {_cdc_header_<name>: name of the header}, with one _ for whatever is none of A-Z, a-z, 0-9.
  In: contract, or none. Out: map of text.
#}
{% macro header_columns(contract) %}
  {% set told = {} %}
  {% for name in (contract or {}).get('headers') or [] %}{% do told.update({'_cdc_header_' ~ modules.re.sub('[^A-Za-z0-9]+', '_', name): name}) %}{% endfor %}
  {{ return(told) }}
{% endmacro %}
