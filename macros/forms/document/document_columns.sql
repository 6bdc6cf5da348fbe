{#
  The columns next to the declared paths of a document, as if they were declared (see contract_columns):
    _cdc_document     the full document, Extended JSON in the form of document_text
    _cdc_approximate  whether it was looked up after the change, and may have been changed again by then
  compared is the part of a value that is hashed: a long is the same number with and without its wrapper; how a document was obtained is left out.
#}
{% macro document_columns(contract) %}
  {% set has_sensitive = (contract['sensitive'] or []) | length > 0 %}
  {{ return([
    {'name': '_cdc_document', 'field': '_cdc_document', 'sql': '_cdc_document', 'source_type': 'document', 'type': 'string', 'is_key': false, 'is_sensitive': has_sensitive,
     'decoder': {'literal': 'string', 'type': 'string', 'value': '{raw}', 'compared': afterimage.bare_numbers('{raw}')}},
    {'name': '_cdc_approximate', 'field': '_cdc_approximate', 'sql': '_cdc_approximate', 'source_type': 'boolean', 'type': 'boolean', 'is_key': false, 'is_sensitive': false,
     'decoder': {'literal': 'boolean', 'type': 'boolean', 'value': '{raw}', 'compared': none}},
  ]) }}
{% endmacro %}
