{# Whether an update of this format may come with the row before it. #}
{% macro sends_row_before(contract) %}
  {{ return(afterimage.record_format(contract['format'])['has_before'] and not afterimage.is_document(contract)) }}
{% endmacro %}
