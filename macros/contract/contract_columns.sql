{#
  The business columns of a contract with their decoders, without those to be dropped; for documents followed by the full document.
  In:  contract; by_schema, whether records with a schema of their own are read by it (see decoder_by_schema).
  Out: list of declared_columns, each with sql, type, decoder, is_key and is_sensitive.
#}
{% macro contract_columns(contract, by_schema=false) %}
  {% set columns = [] %}
  {% set by_schema = by_schema and not afterimage.is_document(contract) and afterimage.record_format(contract['format'])['schema_fields'] %}
  {% set schemas = afterimage.avro_schemas(contract) if by_schema else [] %}
  {% set masks = contract['masked'] or {} %}
  {% for column in contract['columns'] if masks.get(column['name']) != 'drop' %}
    {% set decoder = afterimage.decoder_of_column(column['name'], column['source_type'], contract) %}
    {% if by_schema %}{% set decoder = afterimage.decoder_by_schema(decoder, dict(column, is_key=column['name'] in contract['key']), contract, schemas) %}{% endif %}
    {% if column['name'] in (contract['null_when_not_sent'] or []) and not afterimage.unsent_is_in_before(contract) %}
      {% set decoder = dict(decoder, unknown=afterimage.unknown_or_null(decoder.get('unknown'), contract)) %}
    {% endif %}
    {% if masks.get(column['name']) == 'hash' %}{% set decoder = afterimage.hashed_decoder(decoder) %}{% endif %}
    {% do columns.append(dict(column, **{
      'sql': afterimage.identifier(column['name']),
      'type': decoder['type'],
      'decoder': decoder,
      'is_key': column['name'] in contract['key'],
      'is_sensitive': column['name'] in contract['sensitive'],
    })) %}
  {% endfor %}
  {% if afterimage.is_document(contract) %}{% do columns.extend(afterimage.document_columns(contract)) %}{% endif %}
  {{ return(columns) }}
{% endmacro %}


{# The column of a change log that is the key of a row under `key: rowid`. #}
{% macro row_id_column() %}
  {{ return('_cdc_source_row_id') }}
{% endmacro %}


{# The key columns, in the order the contract lists them. In: contract; by_schema, as contract_columns has it. #}
{% macro key_columns(contract, by_schema=false) %}
  {% set columns = afterimage.contract_columns(contract, by_schema) %}
  {% set row_id = afterimage.row_id_column() %}
  {% if contract['key'] == [row_id] %}
    {{ return([{'name': row_id, 'field': row_id, 'sql': row_id, 'type': 'string', 'is_key': true, 'is_sensitive': false,
                'decoder': {'literal': 'string', 'type': 'string', 'value': '{raw}'}}]) }}
  {% endif %}
  {% set found = [] %}
  {% for name in contract['key'] %}{% do found.extend(columns | selectattr('name', 'equalto', name) | list) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}
