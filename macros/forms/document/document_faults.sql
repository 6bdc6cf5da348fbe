{# The faults of a contract of documents. In: beginning of each fault, contract, its two levels. Out: list of text. #}
{% macro document_faults(where, contract, over_source, over_table) %}
  {% set faults = [] %}
  {% if contract['format'] == 'unwrapped' %}
    {% set added = (afterimage.added_fields(contract) + afterimage.added_headers(contract)) | map(attribute='path') | list %}
    {% set is_looked_up = 'update_full' in contract['capture_mode'] %}
    {% set in_fields = afterimage.added_fields(contract) | map(attribute='path') | list %}
    {% set needed = {'change_streams': ['removedFields', 'truncatedArrays', 'updatedFields'], 'change_streams_with_pre_image': ['removedFields', 'truncatedArrays']} %}
    {% set missing = [] %}
    {% for name in needed.get(contract['capture_mode'], []) if 'updateDescription.' ~ name not in in_fields %}{% do missing.append('updateDescription.' ~ name) %}{% endfor %}
    {% do faults.extend(afterimage.faults_that_hold(where, [
      (contract['capture_mode'] == 'change_streams' and 'op' not in added,
       'capture_mode: under change_streams an update is not a document, and nothing but op tells which record is one. Add it (add.headers=op), and say so in add_headers.'),
      (missing, 'capture_mode: under ' ~ contract['capture_mode'] ~ ' nothing but ' ~ missing | join(', ')
               ~ ' tells what an update took away or put in its place, and current state would be wrong. Add it (add.fields), and say so in add_fields.'),
      (contract['flatten_struct_delimiter'] and not is_looked_up,
       'flatten_struct_delimiter: under ' ~ contract['capture_mode'] ~ ' a flattened path does not show a place in an array, nor which '
                          ~ 'fields of a replaced struct are gone; current state would be wrong. Set flatten.struct=false, or a capture.mode that looks documents up.'),
      ('source.ts_ms' in added and 'source.ord' in added and contract['delete_tombstone_handling_mode'] in ['tombstone', 'delete-to-tombstone'],
       'delete_tombstone_handling_mode: a tombstone has no source.ts_ms and source.ord, so no delete would have a place among the changes that have. '
                          ~ 'Leave source.ord out of add_fields and add_headers (the offset orders them then), or have deletes written as rows (delete.handling.mode=rewrite).'),
      (contract['flatten_struct_delimiter'] == '.',
       'flatten_struct_delimiter: with a point a flattened name looks like a path. Set flatten.struct.delimiter to another one.'),
    ])) %}
  {% endif %}
  {% if contract['key'] not in [none, 'rowid', ['_id']] %}
    {% do faults.append(where ~ 'key: ' ~ (contract['key'] | tojson) ~ ' knows no document; each is known by its _id. Say key: [_id].') %}
  {% endif %}
  {% for column in contract['columns'] %}
    {% if not modules.re.match('[^.\\[\\]\\\\"]+([.][^.\\[\\]\\\\"]+)*\\Z', column['field'] | string) %}
      {% do faults.append(where ~ 'columns.' ~ column['field'] ~ ': is no path. Names with points between them, and numbers for places in arrays: address.city, items.0.sku.') %}
    {% elif column['field'] in ['_cdc_document', '_cdc_approximate'] %}
      {% do faults.append(where ~ 'columns.' ~ column['field'] ~ ': is what afterimage calls what it adds to a document. Leave it out: the whole document has it.') %}
    {% endif %}
  {% endfor %}
  {% for name, why in {
    'masked': 'the whole document would show the value. Leave it out by field.exclude.list of the connector',
    'null_when_not_sent': 'MongoDB sends what a document has. Remove it',
    'former_types': 'a document has the type of each value with it. Declare the newest; a value that does not fit is in _cdc_special',
    'former_names': 'a document keeps the names it was written with. Declare both paths',
    'truncate_empties': 'MongoDB tells no truncates. Remove it',
  }.items() if over_table.get(name) or over_source.get(name) %}
    {% do faults.append(where ~ name ~ ': is not for documents: ' ~ why ~ '.') %}
  {% endfor %}
  {{ return(faults) }}
{% endmacro %}
