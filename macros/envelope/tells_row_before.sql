{# Whether an update of this format may come with the row before it. #}
{% macro tells_row_before(contract) %}
  {{ return(contract['format'] in ['debezium_json', 'cloudevents'] and not afterimage.is_document(contract)) }}
{% endmacro %}
