{#
  The business columns of a contract with their decoders, those that are to be dropped left out; of documents behind them the whole of it.
  Out: list of {name, field (its name in events), sql, source_type, type, decoder, is_key, is_sensitive}.
#}
{% macro contract_columns(contract) %}
  {% set columns = [] %}
  {% set masks = contract['masked'] or {} %}
  {% for column in contract['columns'] if masks.get(column['name']) != 'drop' %}
    {% set decoder = afterimage.decoder_of_column(column['name'], column['source_type'], contract) %}
    {% if column['name'] in (contract['null_when_not_sent'] or []) and not (contract['replica_identity'] == 'full' and afterimage.connector(contract)['before_is_whole']) %}
      {% set decoder = dict(decoder, unknown=afterimage.unknown_or_null(decoder.get('unknown'))) %}
    {% endif %}
    {% if masks.get(column['name']) == 'hash' %}{% set decoder = afterimage.decode_hashed(decoder) %}{% endif %}
    {% do columns.append({
      'name': column['name'],
      'field': column['field'],
      'sql': afterimage.identifier(column['name']),
      'source_type': column['source_type'],
      'type': decoder['type'],
      'decoder': decoder,
      'is_key': column['name'] in contract['key'],
      'is_sensitive': column['name'] in contract['sensitive'],
    }) %}
  {% endfor %}
  {% if afterimage.is_document(contract) %}{% do columns.extend(afterimage.document_columns(contract)) %}{% endif %}
  {{ return(columns) }}
{% endmacro %}


{# The column of a change log that is the key of a row under `key: rowid`. #}
{% macro row_id_column() %}
  {{ return('_cdc_source_row_id') }}
{% endmacro %}


{# The key columns, in the order the contract lists them. #}
{% macro key_columns(contract) %}
  {% set columns = afterimage.contract_columns(contract) %}
  {% set row_id = afterimage.row_id_column() %}
  {% if contract['key'] == [row_id] %}
    {{ return([{'name': row_id, 'field': row_id, 'sql': row_id, 'type': 'string', 'is_key': true, 'is_sensitive': false,
                'decoder': {'literal': 'string', 'type': 'string', 'value': '{raw}'}}]) }}
  {% endif %}
  {% set found = [] %}
  {% for name in contract['key'] %}{% do found.extend(columns | selectattr('name', 'equalto', name) | list) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}
