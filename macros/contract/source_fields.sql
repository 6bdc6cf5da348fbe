{#
  The fields of `source` that a change log shows as _cdc_source_<name>: those the contract names; for a table with LOBs the field that says that
  the event may hold a part of one (lob_parts, see connector()); for Datastream those that name an event and say what it is.
  In: contract, or none. Out: list of text.
#}
{% macro source_fields(contract) %}
  {% if not contract %}{{ return([]) }}{% endif %}
  {% set connector = afterimage.connector(contract) %}
  {% set parts, named = connector.get('lob_parts'), contract['source_fields'] or [] %}
  {% if connector.get('names_events') %}{{ return((named + [connector['names_events'], 'change_type', 'read_method']) | unique | list) }}{% endif %}
  {{ return(named + ([parts] if parts and parts not in named and contract['settings']['lob_enabled'] and afterimage.lob_columns(contract) else [])) }}
{% endmacro %}
