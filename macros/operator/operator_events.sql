{#
  The operator events declared for a table: the rows of one small table that people maintain (a seed, or a source),
  checked. (docs/concepts/operator-events.md shows the effect of each kind)

  In:  declared, relation with the columns of operator_event_columns(), or none; contract.
  Out: list of dicts of texts (a NULL or empty cell is none), in the order of `event`; only those of this table, or of
  its whole source. [] in unit tests and while dbt only parses.
  Raises one error that lists every fault: what is wrong in which event, and what is allowed.
#}
{% macro operator_events(declared, contract) %}
  {% if declared is none or not afterimage.is_model_run() %}{{ return([]) }}{% endif %}
  {% set found, faults, seen = [], [], [] %}
  {% for row in afterimage._declared_rows(declared) %}
    {% set event = {} %}
    {% for name in afterimage.operator_event_columns() %}{% do event.update({name: row[loop.index0]}) %}{% endfor %}
    {% for name in ['source_ts', 'landed_from'] if event[name] and not row['is_' ~ name] %}
      {% do faults.append('event ' ~ event['event'] ~ ': ' ~ name ~ ': ' ~ (event[name] | tojson) ~ ' is not a timestamp. Write it as 2026-01-31 13:45:00, in UTC.') %}
    {% endfor %}
    {% do faults.extend(afterimage.operator_event_faults(event, contract, seen, declared)) %}
    {% do seen.append(event['event']) %}
    {% if event['source_name'] == contract['source_name'] and event['table_name'] in [none, contract['table_name']] %}{% do found.append(event) %}{% endif %}
  {% endfor %}
  {% set known_epochs = afterimage.epochs(found) | length %}
  {% for event in found if event['position'] and event['position'].startswith('e') and not 1 <= event['position'][1:5] | int <= known_epochs %}
    {% do faults.append('event ' ~ event['event'] ~ ': position: ' ~ event['position'] ~ ' names an epoch that is not declared; declared epochs: ' ~ known_epochs ~ '.') %}
  {% endfor %}
  {% if faults %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ faults | length ~ ' fault(s) in the operator events of ' ~ declared ~ ', nothing was run:\n  - ' ~ faults | join('\n  - ')
      ~ '\nThe kinds and what each needs are described in dbt_packages/afterimage/docs/concepts/operator-events.md.') %}
  {% endif %}
  {{ return(found) }}
{% endmacro %}


{# The rows of the table, queried once in a run: many change logs share one. In: relation. Raises where it does not exist. #}
{% macro _declared_rows(declared) %}
  {% set known = afterimage.run_memory('operator_events') %}
  {% if declared | string in known %}{{ return(known[declared | string]) }}{% endif %}
  {% if afterimage.listed_relation(declared) is none %}
    {% do exceptions.raise_compiler_error('[afterimage] ' ~ model.name ~ ': the table of operator events ' ~ declared ~ ' does not exist. If it is a seed, run `dbt seed` '
                                          ~ 'once, or `dbt build`, which loads it first.') %}
  {% endif %}
  {% set parts = [] %}
  {% for name in afterimage.operator_event_columns() %}{% do parts.append(afterimage._cell(name)) %}{% endfor %}
  {# Spark decides whether an instant is valid (there is no 30 February) #}
  {% for name in ['source_ts', 'landed_from'] %}{% do parts.append("cast(try_cast(" ~ name ~ " as timestamp) is not null as int) as is_" ~ name) %}{% endfor %}
  {% do known.update({declared | string: afterimage.ask('read the declared operator events', 'select ' ~ parts | join(', ') ~ ' from ' ~ declared ~ ' order by length(event), event').rows}) %}
  {{ return(known[declared | string]) }}
{% endmacro %}


{#
  The table of operator events that a change log's model was given, or none. It is read from the compiled SQL, because
  a model may read other tables, in a hook.
  In: node; compiled, its SQL.
#}
{% macro operator_events_of_model(node, compiled) %}
  {% set named = modules.re.findall('(?m)^-- operator events: (.*)$', compiled) %}
  {% if not named %}{{ return(none) }}{% endif %}
  {% for read in node.refs %}
    {# dbt omits what a ref() does not give, or has it as none #}
    {% set version = read.version | default(none) %}
    {% set relation = ref(read.package, read.name, v=version) if read.package else ref(read.name, v=version) %}
    {% if relation | string == named[0] %}{{ return(relation) }}{% endif %}
  {% endfor %}
  {% for name in node.sources if source(name[0], name[1]) | string == named[0] %}{{ return(source(name[0], name[1])) }}{% endfor %}
  {% do exceptions.raise_compiler_error('[afterimage] ' ~ node.name ~ ': operator_events is ' ~ named[0] ~ ', and must be a ref() or source().') %}
{% endmacro %}


{# A cell as text. dbt-spark writes an empty cell of a seed's text column as None (dbt-spark, seeds with column_types). #}
{% macro _cell(name) %}
  {# a key may end in spaces #}
  {% set text = 'cast(' ~ name ~ ' as string)' if name == 'row_key' else 'trim(cast(' ~ name ~ ' as string))' %}
  {{ return("nullif(nullif(" ~ text ~ ", ''), 'None') as " ~ name) }}
{% endmacro %}


{# The columns of a table of operator events: name -> content. #}
{% macro operator_event_columns() %}
  {{ return({
    'event': 'a number or name of its own, never used again',
    'kind': 'one of ' ~ afterimage.operator_event_kinds().keys() | join(', '),
    'source_name': 'the dbt source it is about',
    'table_name': 'the table of that source; for an epoch empty: all its tables',
    'row_key': 'the row it is about, as _cdc_key has it',
    'position': 'the place in the log from which on it holds, as _cdc_position has it in history',
    'source_ts': 'the same as an instant of the source, for valid_to',
    'landed_from': 'the landing time of the first record of the epoch',
    'note': 'why',
  }) }}
{% endmacro %}


{# kind -> {needs: columns that must be filled, help}; all other columns but note must be empty. #}
{% macro operator_event_kinds() %}
  {{ return({
    'epoch': {'needs': ['landed_from'], 'help': 'positions start over: what landed from then on is newer than all before'},
    'snapshot_complete': {
      'needs': ['table_name', 'position', 'source_ts'],
      'help': 'the snapshot at this position read the whole table: rows it did not read are gone'},
    'close': {'needs': ['table_name', 'row_key', 'position', 'source_ts'], 'help': 'the row is gone from the source'},
    'erase': {'needs': ['table_name', 'row_key', 'position'], 'help': 'forget all changes of the row up to this position'},
  }) }}
{% endmacro %}


{#
  The faults of one operator event. In: event; contract of the table that is being built; names of the events before
  it; declared, the table of events. Out: list of text.
#}
{% macro operator_event_faults(event, contract, seen, declared) %}
  {% set kinds = afterimage.operator_event_kinds() %}
  {% set where = 'event ' ~ (event['event'] or '(without a number)') ~ ': ' %}
  {% set faults = afterimage.faults_that_hold(where, [
    (not event['event'], 'event: missing. It is ' ~ afterimage.operator_event_columns()['event'] ~ '.'),
    (event['event'] in seen, 'event: appears twice. Give each a number or name of its own.'),
    (event['kind'] not in kinds, 'kind: ' ~ (event['kind'] | tojson) ~ ' is not known. Allowed: ' ~ kinds | join(', ') ~ '.'),
  ]) %}
  {% if event['kind'] not in kinds %}{{ return(faults) }}{% endif %}
  {% set needs = ['source_name'] + kinds[event['kind']]['needs'] %}
  {% for name, meaning in afterimage.operator_event_columns().items() if name not in ['event', 'kind', 'note'] %}
    {% if name in needs and not event[name] %}
      {% do faults.append(where ~ name ~ ': missing. ' ~ event['kind'] ~ ' needs ' ~ meaning ~ '.') %}
    {% elif event[name] and name not in needs + ['table_name'] %}
      {% do faults.append(where ~ name ~ ': ' ~ (event[name] | tojson) ~ ' is not used by ' ~ event['kind'] ~ '. Leave it empty.') %}
    {% endif %}
  {% endfor %}
  {% set form = afterimage.connector(contract)['position_form'] %}
  {% if event['position'] and event['source_name'] == contract['source_name'] and not modules.re.match('^(e[0-9]{4}[.])?' ~ form ~ '$', event['position']) %}
    {% do faults.append(where ~ 'position: ' ~ (event['position'] | tojson) ~ ' is not a position of ' ~ contract['connector'] ~ ' (' ~ form ~ '). Write it as _cdc_position '
                        ~ 'has it; a seed needs column_types: {position: string}, or its zeros are lost.') %}
  {% endif %}
  {% for name in ['source_ts', 'landed_from'] if event[name] and modules.re.match('^[0-9]{4}-', event[name]) and not modules.re.match('^[0-9]{4}-[0-9]{2}-[0-9]{2}( |T)[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?Z?$', event[name]) %}
    {% do faults.append(where ~ name ~ ': ' ~ (event[name] | tojson) ~ ' is not a timestamp. Write it as 2026-01-31 13:45:00, in UTC.') %}
  {% endfor %}
  {% set known_sources = [] %}
  {% for node in graph.sources.values() if afterimage.has_contract(node) and node.source_name not in known_sources %}{% do known_sources.append(node.source_name) %}{% endfor %}
  {% if event['source_name'] and event['source_name'] not in known_sources %}
    {% do faults.append(where ~ 'source_name: ' ~ (event['source_name'] | tojson) ~ ' is not a source with a contract. Known: ' ~ known_sources | sort | join(', ') ~ '.') %}
  {% elif event['table_name'] %}
    {% set tables = [] %}
    {% for node in graph.sources.values() if node.source_name == event['source_name'] and afterimage.has_contract(node) %}
      {% if node.name == event['table_name'] and not afterimage._reads_events(node, declared) %}
        {% do faults.append(where ~ 'table_name: the change log of ' ~ event['source_name'] ~ '.' ~ node.name ~ ' does not read these events. Give it operator_events=….') %}
      {% endif %}
      {% do tables.append(node.name) %}
    {% endfor %}
    {% if event['table_name'] not in tables %}
      {% do faults.append(where ~ 'table_name: ' ~ event['source_name'] ~ '.' ~ event['table_name'] ~ ' is not a table with a contract. Known: ' ~ tables | sort | join(', ') ~ '.') %}
    {% endif %}
  {% endif %}
  {% set is_of_table = event['source_name'] == contract['source_name'] and event['table_name'] in [none, contract['table_name']] %}
  {{ return(faults + afterimage.faults_that_hold(where, [
    (is_of_table and event['kind'] == 'epoch' and contract['former_types'],
     'kind: ' ~ contract['table_name'] ~ ' has former_types, whose positions are of one epoch. Rebuild it with the current types first.'),
    (is_of_table and event['kind'] == 'snapshot_complete' and contract['key_within'] == 'physical_table',
     'kind: a snapshot reads one of the physical tables of ' ~ contract['table_name'] ~ ', so it is not complete; close the rows one by one.'),
    (is_of_table and event['kind'] != 'epoch' and event['table_name'] and not contract['key'],
     'kind: ' ~ event['kind'] ~ ' needs a table with a key; the rows of ' ~ event['table_name'] ~ ' are distinguished by count alone.'),
  ])) }}
{% endmacro %}


{# Whether the change log of a source's table reads a table of operator events. In: source node, relation. #}
{% macro _reads_events(node, declared) %}
  {% for candidate in graph.nodes.values() if candidate.config.materialized == 'cdc_change_log' and node.unique_id in candidate.depends_on.nodes %}
    {% for id in candidate.depends_on.nodes %}
      {% set read = graph.nodes.get(id) or graph.sources.get(id) %}
      {% if read and (read.identifier or read.alias or read.name) | lower == declared.identifier | lower %}{{ return(true) }}{% endif %}
    {% endfor %}
  {% endfor %}
  {{ return(false) }}
{% endmacro %}
