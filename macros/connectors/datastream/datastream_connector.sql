{#
  The traits that the sources of Google Datastream share. See connector() for the keys.

  Every event has the full row, but never the row before an update. A delete has its last image. Several rows may share one
  position in the log (MySQL: the rows of one statement, fixture MixedIT Books), where the uuid distinguishes and orders them: within a batch
  it counts them as they were read. uuid also identifies a redelivery: the same uuid twice is one event.

  In:  contract; base, the dict of the same system under Debezium, for its types; position and position_form as connector() has them.
  Out: as connector(), and
    names_events    field of source that names the event, however often it is delivered
    tie_break      SQL: a change that goes before others at its position, the before record of an update (see before_after_pairs_joined);
                   with it, snapshot rows have no position in the log, and come before the changes of their key (see backfills_placed)
    after_of_pair  SQL: the after record of a before/after pair of an update; it may come without a before record
    may_tell_key_alone   a row before its change may have only its key (PostgreSQL, whose replica identity is not full)
    updates_name_no_row   an update of a table without a key does not say which row it means
#}
{% macro datastream_connector(contract, base, position, position_form) %}
  {% set by_keys = contract['place_from'] == 'sort_keys' %}
  {% set coordinates = afterimage.datastream_coordinates(contract) %}
  {% set nowhere = afterimage.least_place(position_form) if not by_keys else '00000000000000000000' %}
  {# an Oracle stream reads one database, which not every event names #}
  {% set database = [] if contract['connector'] == 'datastream_oracle' else ['source.database'] %}
  {# families of Debezium's types, and Datastream's unified ones with the same values; none for what it does not carry (spatial types, vectors) #}
  {% set of_unified = {
    'tinyint': 'unified_integer', 'integer': 'unified_integer', 'boolean': 'unified_boolean', 'float': 'unified_float', 'numeric': 'unified_number',
    'number': 'unified_number', 'text': 'unified_text', 'enum': 'unified_text', 'shape': 'unified_text', 'point': 'unified_text', 'timetz': 'unified_text',
    'json': 'unified_json', 'binary': 'unified_binary', 'bits': 'unified_bits', 'date': 'unified_date', 'time': 'unified_time', 'duration': 'unified_time',
    'timestamp': 'unified_timestamp', 'timestamptz': 'unified_timestamptz', 'interval': 'unified_text',
  } %}
  {% set types = {} %}
  {% for family, names in base['types'].items() %}
    {% set unified = of_unified.get(family) %}
    {% if unified %}{% do types.update({unified: types.get(unified, []) + names}) %}{% endif %}
  {% endfor %}
  {% set known = types.values() | sum(start=[]) %}
  {% set aliases = {} %}
  {% for alias, name in base['type_aliases'].items() if name in known %}{% do aliases.update({alias: name}) %}{% endfor %}
  {{ return({
    'source_fields': ['stream', 'database', 'schema', 'table', 'tx_id', 'uuid', 'change_type', 'read_method']
                     + (['place', 'sort_keys'] if by_keys else coordinates | list),
    'position_fields': ['sort_keys'] if by_keys else coordinates | list,
    'position': "if(op = 'r', '" ~ nowhere ~ "', " ~ ('source.place' if by_keys else position) ~ ")",
    'position_form': '[ -~]{20,}' if by_keys else position_form,
    'table_names': database + ['source.schema', 'source.table'],
    'server_names': ['source.stream'],
    'tx_id': "nullif(source.tx_id, '')",
    'names_events': 'uuid',
    'tie_break': "_cdc_source_change_type = 'UPDATE-DELETE'",
    'after_of_pair': "_cdc_source_change_type = 'UPDATE-INSERT'",
    'may_tell_key_alone': contract['connector'] == 'datastream_postgresql',
    'updates_name_no_row': true,
    'types': types,
    'type_aliases': aliases,
    'type_arguments': base['type_arguments'],
    'type_attributes': base.get('type_attributes', ''),
    'types_with_words': base.get('types_with_words', []),
    'largest': base['largest'],
    'zero_dates': base.get('zero_dates', false),
  }) }}
{% endmacro %}
