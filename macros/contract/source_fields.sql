{#
  The fields of `source` that a change log shows as _cdc_source_<name>: those the contract names, and of a table with LOBs what tells that the
  event may hold a part of one (lob_parts, see connector()); of Datastream what names an event and what it says it is.
  In: contract, or none. Out: list of text.
#}
{% macro source_fields(contract) %}
  {% if not contract %}{{ return([]) }}{% endif %}
  {% set connector = afterimage.connector(contract) %}
  {% set parts, told = connector.get('lob_parts'), contract['source_fields'] or [] %}
  {% if connector.get('names_events') %}{{ return((told + [connector['names_events'], 'change_type', 'read_method']) | unique | list) }}{% endif %}
  {{ return(told + ([parts] if parts and parts not in told and contract['settings']['lob_enabled'] and afterimage.lob_columns(contract) else [])) }}
{% endmacro %}
