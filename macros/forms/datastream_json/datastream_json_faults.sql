{# The faults of a contract's settings for events of Datastream. In: beginning of each fault, contract, its two levels. Out: list of text. #}
{% macro datastream_json_faults(where, contract, over_source, over_table) %}
  {% set is_datastream = (contract['connector'] or '').startswith('datastream_') %}
  {{ return(afterimage.faults_that_hold(where, [
    (is_datastream and contract['format'] != 'datastream_json',
     'format: ' ~ contract['connector'] ~ ' has datastream_json alone. Remove the format, or name the connector of Debezium.'),
    (contract['format'] == 'datastream_json' and not is_datastream,
     'format: datastream_json is of the connectors datastream_mysql, datastream_oracle, datastream_postgresql, datastream_sqlserver; name the one that has read the source.'),
    (not is_datastream and (over_table.get('place_from') or over_source.get('place_from')),
     'place_from: is of format datastream_json, and the format is ' ~ contract['format'] ~ '. Remove it.'),
    (contract['key'] == 'rowid', 'key: rowid is of connector datastream_oracle. Name the columns of the key, e.g. [id].'),
    (is_datastream and contract['headers'], 'headers: events of Datastream come in files and have none. Remove it.'),
    (is_datastream and contract['avro_schemas'],
     'avro_schemas: Avro files of Datastream hold their schemas themselves. Land them with afterimage land files --format datastream, and remove it.'),
    (is_datastream and contract['topics'] | length > 1 and not (over_table.get('key_within') or over_source.get('key_within')),
     'key_within: rows of several objects (' ~ contract['topics'] | join(', ') ~ ') may share a key and be none. Say physical_table where each has its own, table where a key is one row in all of them.'),
  ])) }}
{% endmacro %}
