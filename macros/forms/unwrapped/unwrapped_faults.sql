{# The faults of a contract's settings for rows without envelopes. In: beginning of each fault, contract, its two levels. Out: list of text. #}
{% macro unwrapped_faults(where, contract, over_source, over_table) %}
  {% set faults = [] %}
  {% for name in ['array_encoding', 'flatten_struct_delimiter', 'capture_mode'] if name in over_table and not (contract['format'] == 'unwrapped' and afterimage.is_document(contract)) %}
    {% do faults.append(where ~ name ~ ': is of format unwrapped of MongoDB. Remove it.') %}
  {% endfor %}
  {% set words = ['add_fields', 'add_fields_prefix', 'add_headers', 'add_headers_prefix', 'delete_tombstone_handling_mode', 'drop_fields_header_name'] %}
  {% if contract['format'] != 'unwrapped' %}
    {% for name in words if name in over_table %}
      {% do faults.append(where ~ name ~ ': is of format unwrapped, and the format is ' ~ contract['format'] ~ '. Say format: unwrapped, or remove it.') %}
    {% endfor %}
    {{ return(faults) }}
  {% endif %}
  {% if contract['key'] == [] %}
    {% do faults.append(where ~ 'key: rows without envelopes need one; nothing else tells which row was changed or deleted.') %}
  {% endif %}
  {% for name in ['add_fields', 'add_headers'] %}
    {% if contract[name] is none %}{{ return(faults) }}{% endif %}
    {% for field in contract[name] if field is not string %}
      {% do faults.append(where ~ name ~ ': ' ~ (field | tojson) ~ ' is no text. Write it as in the connector, e.g. [op, "lsn:position", source.ts_ms].') %}
    {% endfor %}
  {% endfor %}
  {% if contract['delete_tombstone_handling_mode'] is not string %}{{ return(faults) }}{% endif %}
  {% set columns = {} %}
  {% for column in contract['columns'] %}{% do columns.update({column['field'] | lower: column['name']}) %}{% endfor %}
  {% for field in afterimage.added_fields(contract) %}
    {% if field['field'] | lower in columns %}
      {% do faults.append(where ~ 'add_fields: ' ~ field['field'] ~ ' is also the column ' ~ columns[field['field'] | lower] ~ '; one field cannot hold both. Set add.fields.prefix, or another name behind a colon.') %}
    {% endif %}
    {% do columns.update({field['field'] | lower: field['field']}) %}
  {% endfor %}
  {% set added = (afterimage.added_fields(contract) + afterimage.added_headers(contract)) | map(attribute='path') | list %}
  {% if contract['connector'] in afterimage.connectors() and not afterimage.is_document(contract) %}
    {% set lost = afterimage.place_lost_by_deletes(contract) %}
    {% if lost %}
      {% do faults.append(where ~ 'delete_tombstone_handling_mode: a delete is a record without a row, which has no ' ~ lost | join(', ') ~ ', so it would have no place, or another one, among the changes '
                          ~ 'that have. Have it added to headers too, which such a record has (add.headers=' ~ lost | join(',') ~ '), and say so in add_headers; or have deletes written as rows '
                          ~ '(delete.tombstone.handling.mode=rewrite); or leave it out of add_fields: then the offset orders all changes.') %}
    {% endif %}
  {% endif %}
  {% if contract['source_tables'] and 'source.table' not in added %}
    {% do faults.append(where ~ 'source_tables: rows without envelopes do not tell their table. Add it (add.headers=table, which tombstones have too), and say so in add_headers.') %}
  {% endif %}
  {{ return(faults) }}
{% endmacro %}
