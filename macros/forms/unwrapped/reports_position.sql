{# Whether records have their position in the source's log: rows without envelopes have it if its parts were added. In: contract, connector. #}
{% macro reports_position(contract, connector) %}
  {% set added = (afterimage.added_fields(contract) + afterimage.added_headers(contract)) | map(attribute='path') | list %}
  {% if afterimage.record_format(contract['format'])['has_envelope'] %}{{ return(true) }}{% endif %}
  {% for name in connector['position_fields'] if 'source.' ~ name not in added %}{{ return(false) }}{% endfor %}
  {{ return(true) }}
{% endmacro %}


{# The added fields (not headers) that order changes of rows without envelopes and that a delete without a row lacks: list of text. In: contract. #}
{% macro place_lost_by_deletes(contract) %}
  {% set connector, lost = afterimage.connector(dict(contract, format='debezium_json')), [] %}
  {% if contract['delete_tombstone_handling_mode'] not in ['tombstone', 'delete-to-tombstone'] or not afterimage.reports_position(contract, connector) %}{{ return([]) }}{% endif %}
  {% set ordered_by = connector['position'] ~ ' ' ~ connector.get('tx_order', 'transaction.total_order') %}
  {% set in_headers = afterimage.added_headers(contract) | map(attribute='path') | list %}
  {% for field in afterimage.added_fields(contract) if field['path'] not in in_headers and modules.re.search('\\b' ~ modules.re.escape(field['path']) ~ '\\b', ordered_by) %}
    {% do lost.append(field['path'].removeprefix('source.')) %}
  {% endfor %}
  {{ return(lost) }}
{% endmacro %}
