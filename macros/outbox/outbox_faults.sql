{#
  The faults of a declared outbox. In: source node. Out: list of text, empty when there is none or the table is no
  outbox.
#}
{% macro outbox_faults(node) %}
  {% if not afterimage.has_outbox(node) %}{{ return([]) }}{% endif %}
  {% set where = node.original_file_path ~ ': ' ~ node.source_name ~ '.' ~ node.name ~ ': outbox' %}
  {% set over_source, over_table = afterimage.declared_levels(node, 'outbox') | map('default', {}, true) %}
  {% for level in [over_source, over_table] if level is not mapping %}{{ return([where ~ ': expected a map of keys, got ' ~ (level | tojson) ~ '.']) }}{% endfor %}
  {% set faults, keys = [], afterimage.outbox_keys() %}
  {% set given = dict(over_source, **over_table) %}
  {% for name, value in given.items() %}
    {% set key = keys.get(name) %}
    {% if not key %}
      {% do faults.append(where ~ '.' ~ name ~ ': unknown key.' ~ afterimage.similar_name(name, keys) ~ ' Known keys: ' ~ (keys | join(', ')) ~ '.') %}
    {% elif value is not none and afterimage.kind_of_value(value) not in key['type'].split(' or ') %}
      {% do faults.append(where ~ '.' ~ name ~ ': expected a ' ~ key['type'] ~ ', got ' ~ (value | tojson) ~ '. It is ' ~ key['help'] ~ '.') %}
    {% elif value is not none and key.get('allowed') and value not in key['allowed'] %}
      {% do faults.append(where ~ '.' ~ name ~ ': ' ~ (value | tojson) ~ ' is not allowed. Allowed: ' ~ key['allowed'] | join(', ') ~ '.') %}
    {% elif key.get('of') and key['of'] != given.get('captured', keys['captured']['default']) %}
      {% do faults.append(where ~ '.' ~ name ~ ': goes with captured: ' ~ key['of'] ~ '. ' ~ ('The router reads that column; its messages do not name it. Remove it.' if key['of'] == 'rows'
                          else 'Of rows it is a column: say ' ~ ('route_by_field' if name == 'aggregate_type' else 'field_event_type') ~ '.')) %}
    {% endif %}
  {% endfor %}
  {% if faults %}{{ return(faults) }}{% endif %}
  {{ return(afterimage._outbox_faults_together(afterimage.outbox_of_source(node), where)) }}
{% endmacro %}


{# The faults of keys that are each valid alone. #}
{% macro _outbox_faults_together(outbox, where) %}
  {% set aliases = {'header': [], 'envelope': []} %}
  {% set is_routed, topics, schemas = outbox['captured'] == 'router', outbox['topics'], outbox['avro_schemas'] %}
  {% set faults = afterimage.faults_that_hold(where, [
    (not topics or topics | reject('string') | list or topics | unique(case_sensitive=true) | list | length != topics | length,
     '.topic: ' ~ (outbox['topic'] | tojson) ~ ' must be one or several different texts.'),
  ]) %}
  {% for place in outbox['placement'] %}
    {% if place.get('fault') %}
      {% do faults.append(where ~ '.fields_additional_placement: ' ~ (place['fault'] | tojson) ~ ' is not column:placement or column:placement:alias.') %}
    {% elif place['placement'] not in ['header', 'envelope', 'partition'] %}
      {% do faults.append(where ~ '.fields_additional_placement: ' ~ place['placement'] ~ ' is not a placement. Allowed: header, envelope, partition.') %}
    {% elif place['placement'] in aliases %}
      {% if place['alias'] in aliases[place['placement']] %}
        {% do faults.append(where ~ '.fields_additional_placement: two fields are placed in the ' ~ place['placement'] ~ ' as ' ~ place['alias'] ~ '. Give one an alias.') %}
      {% endif %}
      {% do aliases[place['placement']].append(place['alias']) %}
    {% endif %}
    {% if place['placement'] == 'envelope' and place['alias'] == 'payload' %}
      {% do faults.append(where ~ '.fields_additional_placement: ' ~ place['column'] ~ ' is placed in the envelope as payload, where the payload itself is. Give it an alias.') %}
    {% endif %}
  {% endfor %}
  {% do faults.extend(afterimage.faults_that_hold(where, [
    (is_routed and aliases['envelope'] and outbox['value_converter'] in ['string', 'binary'],
     '.value_converter: ' ~ outbox['value_converter'] ~ ' writes the payload alone, and fields_additional_placement puts '
     ~ aliases['envelope'] | join(', ') ~ ' beside it. Place them in headers, or use a converter of JSON or Avro.'),
    (is_routed and outbox['value_converter'] == 'string' and outbox['payload'] in ['binary', 'avro'],
     '.payload: StringConverter does not carry bytes: use BinaryDataConverter (of MongoDB ByteArrayConverter), value_converter: binary.'),
  ])) %}
  {% for name in ['aggregate_type', 'event_type'] if is_routed and outbox[name] is not none %}
    {% set place, _, what = outbox[name].partition(':') %}
    {% if (place != 'topic' or name == 'event_type' or what) and (place not in ['header', 'envelope', 'payload'] or not what) %}
      {% do faults.append(where ~ '.' ~ name ~ ': ' ~ outbox[name] ~ ' is not a place. Allowed: ' ~ ('topic, ' if name == 'aggregate_type' else '') ~ 'header:<name>, envelope:<name>, payload:$.<path>.') %}
    {% elif place == 'envelope' and what not in aliases['envelope'] %}
      {% do faults.append(where ~ '.' ~ name ~ ': ' ~ what ~ ' is not placed in the envelope by fields_additional_placement.') %}
    {% elif place == 'payload' and (not what.startswith('$.') or outbox['payload'] != 'json') %}
      {% do faults.append(where ~ '.' ~ name ~ ': ' ~ outbox[name] ~ (' needs payload: json.' if what.startswith('$.') else ': a path begins with $., e.g. payload:$.type.')) %}
    {% endif %}
  {% endfor %}
  {% if is_routed and outbox['aggregate_type'] == 'topic' %}
    {% for topic in topics if topic is string and not afterimage.topic_pattern(topic) %}
      {% do faults.append(where ~ '.topic: ' ~ topic ~ ' has no part for the aggregate type. Write it with ${routedByValue}, or say aggregate_type: header:<name>, envelope:<name> or payload:$.<path>.') %}
    {% endfor %}
  {% endif %}
  {% set is_avro = 'avro' in [outbox['payload'], outbox['value_converter']] %}
  {% set is_table = schemas and modules.re.match('^[A-Za-z0-9_]+([.][A-Za-z0-9_]+){1,2}\\Z', schemas) %}
  {{ return(faults + afterimage.faults_that_hold(where, [
    (is_avro and not schemas, '.avro_schemas: missing. It is ' ~ afterimage.outbox_keys()['avro_schemas']['help'] ~ '.'),
    (schemas and not is_table, '.avro_schemas: ' ~ (schemas | tojson) ~ ' is not a table name. Write schema.table, or catalog.schema.table.'),
    (is_table and not is_avro, '.avro_schemas: nothing of this outbox is in Avro. Say payload: avro or value_converter: avro, or remove it.'),
    (outbox['avro_framing'] == 'headers' and outbox['payload'] == 'avro' and outbox['value_converter'] != 'binary',
     '.avro_framing: a payload within a value has no headers of its own; the id of its schema must be in its frame (confluent, apicurio).'),
    (not is_routed and outbox['value_converter'] in ['string', 'binary'], '.value_converter: change events are in json or avro.'),
  ])) }}
{% endmacro %}
