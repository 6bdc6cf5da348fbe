{#
  The kind (of `ignored`) of a record that changes no row, although a router or a transform put it in the topic of a table; NULL
  where it is none of these.

    heartbeat      only times
    transaction    BEGIN or END of a transaction
    schema_change  a statement that changes a table
    notification   the progress of a snapshot
    tombstone      a schema block, or none, around no payload: {"schema":null,"payload":null}
  A record is of a kind when it has the fields of that kind and no other. One whose fields are all columns of the table is a row of it.
  Source: Debezium documentation, "schema change topic", "transaction metadata" and "notifications"; for heartbeats the connectors' output.
  In: text, SQL of JSON; columns, names of the table's fields in events. Out: SQL text.
#}
{% macro record_of_connector(text, columns) %}
  {% set fields, cases = 'json_object_keys(' ~ text ~ ')', [] %}
  {% for kind, known in afterimage._fields_of_connector().items() %}
    {% set is_it = 'size(array_intersect(' ~ fields ~ ', array(' ~ afterimage.literals(known['always']) ~ '))) = ' ~ known['always'] | length
                   ~ ' and size(array_except(' ~ fields ~ ', array(' ~ afterimage.literals(known['always'] + known['also']) ~ '))) = 0' %}
    {% set says_it = " and get_json_object(" ~ text ~ ", '$.status') in ('BEGIN', 'END')" if kind == 'transaction' else '' %}
    {% do cases.append('when ' ~ is_it ~ says_it ~ " then '" ~ kind ~ "'") %}
  {% endfor %}
  {{ return('case when size(array_except(' ~ fields ~ ', array(' ~ afterimage.literals(columns) ~ '))) = 0 then null ' ~ cases | join(' ') ~ ' end') }}
{% endmacro %}


{# The same for a complete record, which may have a schema block around it. In: contract, in a step that has record_value. Out: SQL text. #}
{% macro landed_record_of_connector(contract) %}
  {% set has_block = "array_sort(json_object_keys(record_value)) = array('payload', 'schema')" %}
  {% set payload = "get_json_object(record_value, '$.payload')" %}
  {% set columns = contract['columns'] | map(attribute='field') | list %}
  {{ return("case when " ~ has_block ~ " and " ~ payload ~ " is null then 'tombstone' when " ~ has_block ~ " then "
            ~ afterimage.record_of_connector(payload, columns) ~ " else " ~ afterimage.record_of_connector('record_value', columns) ~ " end") }}
{% endmacro %}


{# {kind: {always, fields that each such record has; also, fields that some have}}. #}
{% macro _fields_of_connector() %}
  {% set times = ['ts_ms', 'ts_us', 'ts_ns'] %}
  {{ return({
    'heartbeat': {'always': ['ts_ms'], 'also': ['ts_us', 'ts_ns']},
    'transaction': {'always': ['status', 'id', 'event_count', 'data_collections'], 'also': times},
    'schema_change': {'always': ['source', 'databaseName', 'ddl'], 'also': ['schemaName', 'tableChanges', 'position'] + times},
    'notification': {'always': ['id', 'aggregate_type', 'type'], 'also': ['additional_data', 'timestamp']},
  }) }}
{% endmacro %}
