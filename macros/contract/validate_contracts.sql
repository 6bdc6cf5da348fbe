{#
  Checks every contract of the project and raises ONE error that lists all faults: file, source.table, key, what is wrong, what is allowed.
  Called on-run-start, so nothing runs on a wrong contract; for faults in contracts that no selected node reads it warns.
#}
{% macro validate_contracts() %}
  {% if not execute %}{{ return('') }}{% endif %}
  {% set faults_of_run, other_faults, selected = [], [], afterimage.sources_selected() %}
  {% set topics, unsaid, helpers = {}, [], [] %}
  {% set read = [] %}
  {% for model_node in graph.nodes.values() if model_node.config.materialized == 'cdc_change_log' %}
    {# next to its landing table a change log may read a source of operator events, which has no contract #}
    {% set sources, declared = model_node.depends_on.nodes | select('in', graph.sources) | list, [] %}
    {% for id in sources if afterimage.has_contract(graph.sources[id]) %}{% do declared.append(id) %}{% endfor %}
    {% do read.extend(declared or sources) %}
  {% endfor %}
  {% for node in graph.sources.values() %}
    {% set faults = faults_of_run if selected is none or node.unique_id in selected else other_faults %}
    {% for key in afterimage.other_declarations() %}{% do faults.extend(context['afterimage'][key ~ '_faults'](node)) %}{% endfor %}
    {% if afterimage.has_contract(node) or node.unique_id in read %}
      {% do faults.extend(afterimage.contract_faults(node)) %}
      {% set owner, contract = node.source_name ~ '.' ~ node.name, afterimage.contract_of_source(node) %}
      {% set where = node.original_file_path ~ ': ' ~ owner ~ ': ' %}
      {% if not faults_of_run and not other_faults %}
        {% set nulls = afterimage.columns_null_when_not_sent(contract) %}
        {% if nulls %}{% do unsaid.append(where ~ nulls | join(', ')) %}{% endif %}
        {% do helpers.extend(afterimage._may_be_helpers(where, contract)) %}
      {% endif %}
      {% set tables = contract['source_tables'] or [] %}
      {% for name in contract['topics'] %}
        {% set topic = node.relation_name ~ ' ' ~ name %}
        {% for other, declared in topics.get(topic, {}).items() if other != owner %}
          {% set other_tables = declared['tables'] %}
          {# a fault of both: whichever runs would take the other's records #}
          {% set faults = faults_of_run if selected is none or node.unique_id in selected or declared['id'] in selected else other_faults %}
          {% set said = where ~ 'topic: ' ~ name ~ ' is also declared by ' ~ other %}
          {% if not tables or not other_tables %}
            {% do faults.append(said ~ '. A topic belongs to one table. Where a router sends several tables into it, each declares its source_tables. '
                                ~ 'Partitions or shards of one table are declared once, with truncate_empties: partition, '
                                ~ 'and with key_within: physical_table if the same key occurs in several of them.') %}
          {% elif tables | select('in', other_tables) | list %}
            {% do faults.append(said ~ ', and both name ' ~ tables | select('in', other_tables) | join(', ') ~ ' in source_tables.') %}
          {% endif %}
        {% endfor %}
        {% do topics.update({topic: dict(topics.get(topic, {}), **{owner: {'tables': tables, 'id': node.unique_id}})}) %}
      {% endfor %}
    {% endif %}
  {% endfor %}
  {% set faults_of_run, other_faults = afterimage._once_per_source(faults_of_run), afterimage._once_per_source(other_faults) %}
  {% set described = '\nEvery key is described in dbt_packages/afterimage/docs/reference/contract.md, those of an outbox in dbt_packages/afterimage/docs/how-to/outbox.md.' %}
  {% if faults_of_run %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ faults_of_run | length ~ ' fault(s) in CDC contracts (config.meta.cdc, config.meta.outbox), nothing was run:\n  - '
      ~ faults_of_run | join('\n  - ') ~ described) %}
  {% endif %}
  {% for found, what, to_do in [
    (other_faults, other_faults | length ~ ' fault(s) in CDC contracts that nothing selected reads:', described),
    (helpers, 'By their names these tables belong to a tool, not to the business:',
     '\nDeclare them as helper_tables: {table: kind} and remove them, or keep them if they are tables of the business.'),
    (afterimage.change_logs_left_out(), 'Change logs whose records are counted nowhere:', '\nAdd them; `afterimage scaffold` does.'),
    (unsaid, 'Of these types Debezium writes NULL where an update left a long value alone (PostgreSQL does not send it then):',
     '\nSay null_when_not_sent: [their names] to read such a NULL as not sent, null_when_not_sent: [] where values are never long '
     ~ '(below some 2,000 bytes), or set REPLICA IDENTITY FULL.'),
  ] if found %}
    {% do exceptions.warn('[afterimage] ' ~ what ~ '\n  - ' ~ found | join('\n  - ') ~ to_do) %}
  {% endfor %}
  {{ return('') }}
{% endmacro %}


{# Faults that several tables of a source share, as those of the source's own keys, once, with these tables. In and out: list of text. #}
{% macro _once_per_source(faults) %}
  {% set tables, found = {}, [] %}
  {% for fault in faults %}
    {% set file, owner, what = fault.split(': ', 2) %}
    {% set source, table = owner.split('.', 1) %}
    {% do tables.setdefault((file, source, what), []).append(table) %}
  {% endfor %}
  {% for (file, source, what), names in tables.items() %}
    {% set several = names | unique(case_sensitive=true) | list %}
    {% set are_all = several | length == graph.sources.values() | selectattr('source_name', 'equalto', source) | list | length %}
    {% set owner = source ~ '.' ~ names[0] if several | length == 1
                   else source ~ ' (all ' ~ several | length ~ ' tables)' if are_all
                   else source ~ ' (' ~ several | length ~ ' tables: ' ~ several | join(', ') ~ ')' %}
    {% do found.append(file ~ ': ' ~ owner ~ ': ' ~ what) %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}


{#
  ' Did you mean …?' for a name that is not among the known ones, by the pairs of letters they share; empty when none is similar.
  In: name, known, a list of text.
#}
{% macro similar_name(name, known) %}
  {% set scores = [] %}
  {% for other in known %}
    {% set shared = [] %}
    {% for start in range(name | string | length - 1) if (name | string)[start:start + 2] in other %}{% do shared.append(start) %}{% endfor %}
    {% do scores.append((2 * shared | length / (name | string | length + other | length), other)) %}
  {% endfor %}
  {% set score, best = scores | sort | last %}
  {{ return(' Did you mean ' ~ best ~ '?' if score > 0.5 else '') }}
{% endmacro %}


{# 'unknown type …', and those that are known. In: type, contract. #}
{% macro _unknown_type(type, contract) %}
  {% set names = afterimage.type_names(contract) %}
  {% set similar = afterimage.similar_name((type | string).split('(')[0], names) %}
  {{ return('unknown type ' ~ type ~ '.' ~ similar ~ ' Known types: ' ~ names | join(', ')) }}
{% endmacro %}


{#
  The faults of one source table's contract, a list of text, empty when there are none. In: source node.
#}
{% macro contract_faults(node) %}
  {% set faults = [] %}
  {% set where = node.original_file_path ~ ': ' ~ node.source_name ~ '.' ~ node.name ~ ': ' %}
  {% set over_source, over_table = afterimage.declared_levels(node, 'cdc') | map('default', {}, true) %}
  {% set keys = afterimage.contract_keys() %}
  {% set contract = afterimage.contract_of_source(node) %}

  {% for level, given in {'source': over_source, 'table': over_table}.items() %}
    {% for name in given %}
      {% if name not in keys %}
        {% do faults.append(where ~ name ~ ': unknown key.' ~ afterimage.similar_name(name, keys) ~ ' Known keys: ' ~ (keys | join(', ')) ~ '.') %}
      {% elif level == 'source' and keys[name]['level'] == 'table' and over_source != over_table %}
        {% do faults.append(where ~ name ~ ': belongs to a table, not to the source. Move it under tables.') %}
      {% endif %}
    {% endfor %}
  {% endfor %}

  {% for name, key in keys.items() %}
    {% set value = afterimage.as_allowed(over_table.get(name, over_source.get(name)), key.get('allowed')) %}
    {% if value is none %}
      {% if key.get('required') %}
        {% do faults.append(where ~ name ~ ': missing. It is ' ~ key['help'] ~ '.'
                            ~ (' Allowed: ' ~ key['allowed'] | join(', ') ~ '.' if key.get('allowed') else '')) %}
      {% endif %}
    {% elif not afterimage.is_of_kind(value, key) %}
      {% do faults.append(where ~ name ~ ': expected a ' ~ key['type'] ~ ', got ' ~ (value | tojson) ~ '. It is ' ~ key['help'] ~ '.') %}
    {% elif key.get('allowed') and value not in key['allowed'] %}
      {% do faults.append(where ~ name ~ ': ' ~ (value | tojson) ~ ' is not allowed. Allowed: ' ~ key['allowed'] | join(', ') ~ '.'
                            ~ (' Types are checked once it is correct.' if name == 'connector' else '')) %}
    {% endif %}
  {% endfor %}

  {% set settings = keys['settings']['keys'] %}
  {% for level in [over_source, over_table] if level.get('settings') is mapping %}
    {% for setting, value in level['settings'].items() %}
      {% if setting not in settings %}
        {% do faults.append(where ~ 'settings.' ~ setting ~ ': unknown setting.' ~ afterimage.similar_name(setting, settings) ~ ' Known settings: ' ~ (settings | join(', '))
                            ~ '. dbt_packages/afterimage/docs/reference/settings.md says of every setting of the connector whether it must be declared.') %}
      {% elif settings[setting].get('allowed') and afterimage.as_allowed(value, settings[setting]['allowed']) not in settings[setting]['allowed'] %}
        {% do faults.append(where ~ 'settings.' ~ setting ~ ': ' ~ (value | tojson) ~ ' is not allowed. Allowed: '
                            ~ settings[setting]['allowed'] | join(', ') ~ '.') %}
      {% elif afterimage.kind_of_value(value) != afterimage.kind_of_value(settings[setting]['default']) %}
        {% do faults.append(where ~ 'settings.' ~ setting ~ ': expected a ' ~ afterimage.kind_of_value(settings[setting]['default']) ~ ', got '
                            ~ (value | tojson) ~ '. Its default is ' ~ (settings[setting]['default'] | tojson) ~ '.') %}
      {% elif settings[setting].get('each') and value | reject('in', settings[setting]['each']) | list %}
        {% do faults.append(where ~ 'settings.' ~ setting ~ ': ' ~ (value | reject('in', settings[setting]['each']) | list | tojson) ~ ' may not stand in it. Allowed: '
                            ~ settings[setting]['each'] | join(', ') ~ '.') %}
      {% elif setting == 'unavailable_value_placeholder' and afterimage.placeholder_may_be_hex(contract) and modules.re.match('hex:(?!([0-9A-Fa-f]{2})*\\Z)', value) %}
        {% do faults.append(where ~ 'settings.' ~ setting ~ ': ' ~ (value | tojson) ~ ' is no hex: with two hexadecimal digits a byte behind it. Write it as the connector has it.') %}
      {% endif %}
    {% endfor %}
  {% endfor %}

  {% do faults.extend(afterimage.avro_faults(where, contract, over_source, over_table)) %}
  {% for format, traits in afterimage.record_formats().items() if traits['has_faults'] %}
    {% do faults.extend(context['afterimage'][format ~ '_faults'](where, contract, over_source, over_table)) %}
  {% endfor %}
  {% do faults.extend(afterimage._helper_faults(where, contract)) %}
  {% set names, topics, is_known = contract['columns'] | map(attribute='name') | list, over_table.get('topic'), contract['connector'] in keys['connector']['allowed'] %}
  {# none also for the word rowid #}
  {% set key = contract['key'] if contract['key'] is not string else none %}
  {% do faults.extend(afterimage.faults_that_hold(where, [
    (topics is iterable and topics is not string and (not topics or topics | unique(case_sensitive=true) | list | length != topics | length),
     'topic: ' ~ (topics | tojson) ~ ' names none, or one twice.'),
    (contract['key_within'] == 'physical_table' and contract['truncate_empties'] != 'partition' and not afterimage.is_document(contract),
     'key_within: with physical_table a truncate empties one of them only; say truncate_empties: partition.'),
    (over_table.get('columns') is mapping and not names, 'columns: there is none. It is ' ~ keys['columns']['help'] ~ '.'),
    ((over_table.get('replica_identity') or over_source.get('replica_identity')) and is_known and not afterimage.connector(contract).get('has_replica_identity'),
     'replica_identity: a word of PostgreSQL; ' ~ contract['connector'] ~ ' needs none, because its events have whole rows. Remove it.'),
    (key == [] and (contract['truncate_empties'] == 'partition' or contract['key_within'] == 'physical_table'),
     ('truncate_empties' if contract['truncate_empties'] == 'partition' else 'key_within') ~ ': needs a key; the rows of a table without one are distinguished by count alone.'),
    (key == [] and contract['untracked'], 'untracked: needs a key; a row of a table without one is known by all its values.'),
    (key == [] and contract['deletes'] == 'flag' and over_table.get('deletes'),
     'deletes: flag needs a key; of a table without one only how many equal rows there are is known.'),
  ])) %}
  {% set fields = {} %}
  {% for column in contract['columns'] %}
    {% if column['field'] in fields %}
      {% do faults.append(where ~ 'columns.' ~ column.get('source_name', column['name']) ~ ': under field_name_adjustment_mode ' ~ contract['settings']['field_name_adjustment_mode']
                          ~ ' its name in events is ' ~ column['field'] ~ ', which is that of ' ~ fields[column['field']]
                          ~ ' too. Leave one of them out of the stream and of the contract, or set avro_unicode.') %}
    {% endif %}
    {% do fields.update({column['field']: column.get('source_name', column['name'])}) %}
    {% if is_known and not afterimage.decoder(column['source_type'], contract) %}
      {% do faults.append(where ~ 'columns.' ~ column['name'] ~ ': ' ~ afterimage._unknown_type(column['source_type'], contract)
                          ~ ('; [] behind a type makes an array.' if afterimage.connector(contract).get('has_arrays') else '.')
                          ~ (' The connector cannot send arrays of arrays: it writes NULLs or Java addresses for them. Leave the column out.' if modules.re.search('[\\]][ ]*[\\[]', column['source_type'])
                             else ' Declare an enum as enum, a domain by its base type.')) %}
    {% elif is_known %}
      {% set type = afterimage.parsed_type(column['source_type'], contract) %}
      {% set largest = afterimage.connector(contract)['largest'].get(type['name']) %}
      {% if largest and type['arguments'] and not 0 <= type['arguments'][0] <= largest %}
        {% do faults.append(where ~ 'columns.' ~ column['name'] ~ ': the database has no ' ~ column['source_type'] ~ ': the first number goes from 0 to ' ~ largest ~ '.') %}
      {% endif %}
    {% endif %}
  {% endfor %}
  {% do faults.extend(afterimage._name_faults(where, contract, fields)) %}
  {% for name in contract['source_fields'] or [] %}
    {% if not modules.re.match('^[A-Za-z][A-Za-z0-9_]*\\Z', name | string) %}
      {% do faults.append(where ~ 'source_fields: ' ~ (name | tojson) ~ ' is no name of a field of source: letters, digits and _, e.g. user_name.') %}
    {% elif name | lower == 'op' %}
      {% do faults.append(where ~ 'source_fields: op is no field of source; every change log has it as _cdc_op. Leave it out.') %}
    {% elif contract['source_fields'] | map('lower') | select('equalto', name | lower) | list | length > 1 %}
      {% do faults.append(where ~ 'source_fields: ' ~ name ~ ' is there twice, for Spark does not tell capitals. Leave one out.') %}
    {% elif name | lower in ['ts', 'ts_ns', 'table'] %}
      {% do faults.append(where ~ 'source_fields: ' ~ name ~ ': _cdc_source_' ~ name ~ ' is there already, of another meaning. Leave it out.') %}
    {% endif %}
  {% endfor %}
  {% set headers = contract['headers'] or [] %}
  {% for name in headers if name is not string or not modules.re.search('[A-Za-z0-9]', name) %}
    {% do faults.append(where ~ 'headers: ' ~ (name | tojson) ~ ' gives no column: it must be a text with one of A-Z, a-z, 0-9, e.g. traceparent.') %}
  {% else %}
    {% if afterimage.header_columns({'headers': headers | map('lower')}) | length < headers | length %}
      {% do faults.append(where ~ 'headers: two of ' ~ headers | join(', ') ~ ' give one column, for Spark does not tell capitals and columns have _ for whatever is none of A-Z, a-z, 0-9. Leave one out.') %}
    {% endif %}
  {% endfor %}
  {% for column, former in (contract['former_types'] or {} if is_known else {}).items() %}
    {% do faults.extend(afterimage._former_type_faults(where ~ 'former_types.' ~ column ~ ': ', column, former, contract)) %}
  {% endfor %}
  {% set masks = contract['masked'] or {} %}
  {% for list in ['masked', 'key', 'null_when_not_sent', 'untracked', 'sensitive'] %}
    {% for name in (key if list == 'key' else contract[list]) or [] if name != afterimage.row_id_column() or list in ['masked', 'sensitive'] %}
      {% if name not in names and (over_table.get('sensitive') and name not in (contract['source_fields'] or []) if list == 'sensitive' else names) %}
        {% do faults.append(where ~ list ~ ': column ' ~ name ~ ' is not among the columns (' ~ names | join(', ') ~ ').') %}
      {% elif list == 'masked' and masks[name] not in keys['masked']['each'] %}
        {% do faults.append(where ~ 'masked.' ~ name ~ ': ' ~ (masks[name] | tojson) ~ ' is not allowed. Allowed: ' ~ keys['masked']['each'] | join(', ') ~ '.') %}
      {% elif list == 'masked' and masks[name] == 'drop' and name in (key or []) %}
        {% do faults.append(where ~ 'masked.' ~ name ~ ': a key column cannot be dropped. Hash it.') %}
      {% elif list in ['null_when_not_sent', 'untracked'] and name in (key or []) %}
        {% do faults.append(where ~ list ~ ': ' ~ name ~ ' is part of the key, ' ~ ('which is always sent' if list == 'null_when_not_sent' else 'and another key is another row') ~ '. Leave it out.') %}
      {% elif list == 'untracked' and masks.get(name) == 'drop' %}
        {% do faults.append(where ~ 'untracked: ' ~ name ~ ' is dropped by masked, so no model has it. Leave it out.') %}
      {% endif %}
    {% endfor %}
  {% endfor %}
  {% if afterimage.is_document(contract) %}{% do faults.extend(afterimage.document_faults(where, contract, over_source, over_table)) %}{% endif %}
  {{ return(faults) }}
{% endmacro %}


{#
  The faults in a contract's declarations about names of columns. In: beginning of each fault; contract; fields, the names columns have in events
  -> their names in the database. Out: list of text.
#}
{% macro _name_faults(where, contract, fields) %}
  {% set faults, former, called = [], {}, {} %}
  {% set declared = fields.values() | list %}
  {% for column, names in (contract['former_names'] or {}).items() %}
    {% set here = where ~ 'former_names.' ~ column ~ ': ' %}
    {% if column not in declared %}{% do faults.append(here ~ 'is not among the columns (' ~ declared | join(', ') ~ ').') %}{% endif %}
    {% if names is string or names is mapping or names is not iterable %}
      {% do faults.append(here ~ 'expected a list of names, the newest first, got ' ~ (names | tojson) ~ '.') %}
    {% endif %}
  {% endfor %}
  {% for column in contract['columns'] %}
    {% for name in column.get('former', []) %}
      {% set here = where ~ 'former_names.' ~ column.get('source_name', column['name']) ~ ': ' ~ name['field'] ~ ' ' %}
      {% if name['field'] in fields %}
        {% do faults.append(here ~ 'is the name of another column now, so that no record tells which of them it means. Leave it out: records of before the rename have it in that column.') %}
      {% elif name['field'] in former %}
        {% do faults.append(here ~ 'was the name of ' ~ former[name['field']] ~ ' too, and no record tells which of them it means. Leave it out of one.') %}
      {% endif %}
      {% do former.update({name['field']: column['name']}) %}
    {% endfor %}
    {% do called.update({column['name'] | lower: column}) %}
  {% endfor %}
  {% set given = contract['model_names'] or {} %}
  {% for column, name in given.items() %}
    {% set here = where ~ 'model_names.' ~ column ~ ': ' %}
    {% if column not in declared and not afterimage.is_document(contract) %}
      {% do faults.append(here ~ 'is not among the columns (' ~ declared | join(', ') ~ ').') %}
    {% elif name is not string or not afterimage.is_free(name) or not name %}
      {% do faults.append(here ~ (name | tojson) ~ ' is no name that a column of a model may have: none of afterimage\'s (valid_from, valid_to, is_current, cdc_append, _cdc_…), no backtick, control character or ${.') %}
    {% elif given.values() | select('string') | map('lower') | select('equalto', name | lower) | list | length > 1
            or declared | reject('in', given) | map('lower') | select('equalto', name | lower) | list %}
      {% do faults.append(here ~ name ~ ' is what another column is called, letter case aside. Give another one.') %}
    {% endif %}
  {% endfor %}
  {{ return(faults) }}
{% endmacro %}


{# The tables of a contract, named as in the source: those of source_tables, else derived from its topics. #}
{% macro _tables_meant(contract) %}
  {% if contract['source_tables'] %}{{ return(contract['source_tables']) }}{% endif %}
  {% set found = [] %}
  {% for name in contract['topics'] | select('string') %}{% do found.append(name.removeprefix((contract['topic_prefix'] or name.split('.')[0]) ~ '.')) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}


{# The faults of helper_tables, and of a contract on a helper table. In: beginning of each fault, contract. Out: list of text. #}
{% macro _helper_faults(where, contract) %}
  {% set faults = [] %}
  {% set helpers = contract['helper_tables'] or {} %}
  {% for table, kind in helpers.items() if kind not in afterimage.helper_kinds() %}
    {% do faults.append(where ~ 'helper_tables.' ~ table ~ ': ' ~ (kind | tojson) ~ ' is not allowed. Allowed: ' ~ afterimage.helper_kinds() | join(', ') ~ '.') %}
  {% endfor %}
  {% for table in afterimage._tables_meant(contract) %}
    {% set kind = helpers.get(table) or afterimage.helper_kind_of(table) %}
    {% if kind and (table in helpers or kind == 'log_mining_flush') %}
      {% do faults.append(where ~ 'topic: ' ~ table ~ ' is a ' ~ afterimage.helper_kinds().get(kind, kind) ~ ', which serves the connector or a tool and holds nothing of the business. '
                          ~ 'Remove this table from the sources; its records are counted as ' ~ afterimage.helper_kinds().get(kind, kind) ~ ' where helper_tables names it'
                          ~ (', and afterimage.signals shows them.' if kind == 'signal' else '.')) %}
    {% endif %}
  {% endfor %}
  {{ return(faults) }}
{% endmacro %}


{# The tables of a contract that may be helpers by their names, with their location: list of text. In: as _helper_faults. #}
{% macro _may_be_helpers(where, contract) %}
  {% set found = [] %}
  {% for table in afterimage._tables_meant(contract) %}
    {% set kind = afterimage.helper_kind_of(table) %}
    {% if kind %}{% do found.append(where ~ table ~ ' (' ~ afterimage.helper_kinds()[kind] ~ ')') %}{% endif %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}


{# The faults of the earlier types of one column. #}
{% macro _former_type_faults(where, column, former, contract) %}
  {% set faults = [] %}
  {% set now = contract['columns'] | selectattr('name', 'equalto', column) | map(attribute='source_type') | list %}
  {% if not now %}{{ return([where ~ 'is not among the columns.']) }}{% endif %}
  {% if column in contract['key'] %}{% do faults.append(where ~ 'a key column may not change its type: declare the type that holds all its values.') %}{% endif %}
  {% if former is not mapping %}{{ return(faults + [where ~ 'expected a map of position to type, got ' ~ (former | tojson) ~ '.']) }}{% endif %}
  {% set form, newest = afterimage.connector(contract)['position_form'], afterimage.decoder(now[0], contract) %}
  {% for until, type in former.items() %}
    {% set decoder = afterimage.decoder(type | string, contract) %}
    {% if not modules.re.match('^' ~ form ~ '$', until | string) %}
      {% do faults.append(where ~ (until | tojson) ~ ' is not a position of ' ~ contract['connector'] ~ ' (' ~ form ~ '). Write it as _cdc_position has it, in quotes.') %}
    {% elif not decoder %}
      {% do faults.append(where ~ afterimage._unknown_type(type, contract) ~ '.') %}
    {% elif newest and decoder['literal'] != newest['literal'] and modules.re.search('<|decimal[(]|variant', decoder['literal'] ~ ' ' ~ newest['literal']) %}
      {% do faults.append(where ~ type ~ ' and ' ~ now[0] ~ ' cannot be read side by side; rebuild the change log from the position where the type changed.') %}
    {% endif %}
  {% endfor %}
  {{ return(faults) }}
{% endmacro %}


{# The name contract_keys() uses for the kind of a value: map, text, list, truth value or number. In: value. Out: text. #}
{% macro kind_of_value(value) %}
  {{ return('map' if value is mapping else 'text' if value is string else 'list' if value is iterable else 'truth value' if value is boolean else 'number') }}
{% endmacro %}


{# Whether a value is of the kind that a key of contract_keys() takes, or one of its words. #}
{% macro is_of_kind(value, key) %}
  {{ return(afterimage.kind_of_value(value) in key['type'].split(' or ') or value in key.get('words', [])) }}
{% endmacro %}
