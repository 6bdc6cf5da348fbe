{#
  The fields of `source` that a change log shows as _cdc_source_<name>: those the contract names, and of a table with LOBs what tells that the
  event may hold a part of one (lob_parts, see connector()).
  In: contract, or none. Out: list of text.
#}
{% macro source_fields(contract) %}
  {% if not contract %}{{ return([]) }}{% endif %}
  {% set parts = afterimage.connector(contract).get('lob_parts') %}
  {% set told = contract['source_fields'] or [] %}
  {{ return(told + ([parts] if parts and parts not in told and contract['settings']['lob_enabled'] and afterimage.lob_columns(contract) else [])) }}
{% endmacro %}
