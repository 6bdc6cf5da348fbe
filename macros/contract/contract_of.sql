{#
  The contract of one table of a source, as a dict: source level overridden by table level, defaults filled in.
  In: a source node of dbt's graph. Out: every key of contract_keys() plus
  source_name, table_name, origin (file), landing (schema.table), `columns` as a list of {name, field (its name in events), source_type}
  (see declared_columns), `topics`, the list of its topics, and `settings_said`, the names of the settings that are set explicitly.
  A value of another kind than its key takes counts as not set.
  dbt merges meta shallowly, so the two levels are merged here.
#}
{% macro contract_of_source(node) %}
  {% set known = afterimage.run_memory('contracts') %}
  {% if node.unique_id not in known %}
    {% set over_source, over_table = afterimage.declared_levels(node, 'cdc') | map('default', {}, true) %}
    {% set contract = afterimage._contract(over_source, over_table, node.source_name, node.name, node.original_file_path) %}
    {% do known.update({node.unique_id: dict(contract, landing=node.schema ~ '.' ~ node.identifier)}) %}
  {% endif %}
  {{ return(known[node.unique_id]) }}
{% endmacro %}


{# Whether a source table is a CDC table: it has a contract of its own. What the source declares for all its tables does not make it one. #}
{% macro has_contract(node) %}
  {% set of_source, of_table = afterimage.declared_levels(node, 'cdc') %}
  {{ return(of_table not in [none, of_source]) }}
{% endmacro %}


{# The contracts of all tables of the project whose records are in one of the landing tables. In: relations, or texts schema.table. #}
{% macro contracts_on(landings) %}
  {% set names, found = [], [] %}
  {% for landing in landings %}{% do names.append(afterimage.landing_name(landing)) %}{% endfor %}
  {% for node in graph.sources.values() if afterimage.has_contract(node) %}
    {% set contract = afterimage.contract_of_source(node) %}
    {% if contract['landing'] in names %}{% do found.append(contract) %}{% endif %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}


{# A landing table as contracts name it: schema.table. #}
{% macro landing_name(landing) %}
  {{ return(landing if landing is string else landing.schema ~ '.' ~ landing.identifier) }}
{% endmacro %}


{% macro _contract(over_source, over_table, source_name, table_name, origin) %}
  {% set contract = {'settings_said': []} %}
  {% for name, key in afterimage.contract_keys().items() %}
    {% set value = afterimage.as_allowed(over_table.get(name, over_source.get(name, key.get('default'))), key.get('allowed')) %}
    {# contract_faults reports a value of another kind #}
    {% if value is not none and not afterimage.is_of_kind(value, key) %}{% set value = key.get('default') %}{% endif %}
    {% if name == 'settings' %}
      {% set value = {} %}
      {% for setting, spec in key['keys'].items() %}
        {% do value.update({setting: spec['default']}) %}
      {% endfor %}
      {% for level in [over_source, over_table] if level.get('settings') is mapping %}
        {% for setting, said in level['settings'].items() %}{% do value.update({setting: afterimage.as_allowed(said, key['keys'].get(setting, {}).get('allowed'))}) %}{% endfor %}
        {% do contract['settings_said'].extend(level['settings']) %}
      {% endfor %}
    {% endif %}
    {% do contract.update({name: value}) %}
  {% endfor %}
  {% do contract.update({'settings': afterimage.with_placeholder(contract['settings'], afterimage.placeholder_may_be_hex(contract))}) %}
  {% if (contract['connector'] or '').startswith('datastream_') %}
    {% if not (over_table.get('format') or over_source.get('format')) %}{% do contract.update({'format': 'datastream_json'}) %}{% endif %}
    {% if contract['connector'] == 'datastream_mysql' and 'binary_handling_mode' not in contract['settings_said'] %}{% do contract['settings'].update({'binary_handling_mode': 'hex'}) %}{% endif %}
  {% endif %}
  {% set columns, names = afterimage.declared_columns(contract), afterimage.model_names(contract) %}
  {% for of_columns in ['key', 'untracked', 'sensitive', 'null_when_not_sent', 'masked', 'former_types'] %}
    {% do contract.update({of_columns: afterimage.named_as_in_models(contract[of_columns], names, contract)}) %}
  {% endfor %}
  {% set source_fields = contract['source_fields'] or [] %}
  {% if contract['key'] == 'rowid' and contract['connector'] == 'datastream_oracle' %}
    {# a field of source identifies the row, so the change log has it as a column #}
    {% set source_fields = (source_fields + ['row_id']) | unique(case_sensitive=true) | list %}
    {% do contract.update({'key': [afterimage.row_id_column()], 'source_fields': source_fields}) %}
  {% endif %}
  {% set topics = contract['topic'] if contract['topic'] is iterable and contract['topic'] is not string else [contract['topic']] %}
  {% set texts = ['query', 'redo_sql'] | select('in', source_fields) | list %}
  {% set sensitive = (contract['sensitive'] or []) + (contract['masked'] or {}) | list + texts %}
  {% do contract.update({'sensitive': sensitive | unique(case_sensitive=true) | list}) %}
  {% do contract.update({'columns': columns, 'topics': topics, 'source_name': source_name, 'table_name': table_name, 'origin': origin}) %}
  {{ return(contract) }}
{% endmacro %}


{#
  The contract (see contract_of_source) behind a model of this package, followed through ref() back to its source().
  In: a model node (dbt's `model`).
  Raises when the model reads no source with a contract, or more than one.
  In a unit test dbt shows no source: the test brings the contract as overrides.vars.cdc.
#}
{% macro contract_of_model(node) %}
  {% if node.resource_type == 'unit_test' %}
    {% if not var('cdc', none) %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] unit test ' ~ node.name ~ ': dbt gives a unit test no sources, so the test must provide its contract: '
        ~ 'overrides: {vars: {cdc: {connector: …, topic: …, key: […], columns: {…}}}}') %}
    {% endif %}
    {{ return(afterimage._contract({}, var('cdc'), 'unit', 'test', node.original_file_path)) }}
  {% endif %}
  {{ return(afterimage.contract_of_source(afterimage.source_of_model(node))) }}
{% endmacro %}


{#
  The node of the source table a model reads, itself or through the one model it refers to. In: the model's node.
  Raises where it is not exactly one.
#}
{% macro source_of_model(node) %}
  {% set sources = node.sources | map('join', '.') | unique(case_sensitive=true) | list %}
  {% set found = [] %}
  {% for candidate in graph.sources.values() if candidate.source_name ~ '.' ~ candidate.name in sources %}
    {# next to its landing table a model may read one without a contract: operator events #}
    {% if sources | length == 1 or afterimage.has_contract(candidate) %}{% do found.append(candidate) %}{% endif %}
  {% endfor %}
  {% if found | length == 1 %}{{ return(found[0]) }}{% endif %}
  {% if sources | length == 0 and node.refs | length == 1 %}
    {% for candidate in graph.nodes.values() %}
      {% if candidate.resource_type == 'model' and candidate.name == node.refs[0].name %}
        {{ return(afterimage.source_of_model(candidate)) }}
      {% endif %}
    {% endfor %}
  {% endif %}
  {% do exceptions.raise_compiler_error(
    '[afterimage] model ' ~ node.name ~ ': expected exactly one source() or one ref() to follow to its contract, found sources '
    ~ sources ~ ' and refs ' ~ (node.refs | map(attribute='name') | list) ~ '. Give each change log one source table: '
    ~ "{{ afterimage.change_log(source('shop', 'orders')) }}"
  ) %}
{% endmacro %}


{#
  md5 of what an outcome of a record depended on: the contract, the schemas of its topics, the package version, the retry stamp and the declared
  epochs.
  A refused record is tried again when this differs.
#}
{% macro contract_fingerprint(contract, retry_stamp, epochs) %}
  {% set declared = {} %}
  {% for name in afterimage.contract_keys() %}{% do declared.update({name: contract[name]}) %}{% endfor %}
  {{ return(local_md5(tojson([
    afterimage.package_version(), retry_stamp, epochs, declared, afterimage.avro_schemas(contract), afterimage.tables_sharing_topics(contract) if contract['source_tables'] else [],
  ], sort_keys=true))) }}
{% endmacro %}


{# Version of this package, part of the fingerprint. A test keeps it equal to dbt_project.yml. #}
{% macro package_version() %}
  {{ return('0.1.0') }}
{% endmacro %}


{# The contract of a change log named by its relation. #}
{% macro contract_of_change_log(relation) %}
  {{ return(afterimage.contract_of_model(afterimage.node_of(relation, 'a change log'))) }}
{% endmacro %}


{# The model's node that a relation belongs to. In: relation; what it should be, for the message. #}
{% macro node_of(relation, what='a model') %}
  {% for candidate in graph.nodes.values() %}
    {% if candidate.resource_type == 'model' and (candidate.alias or candidate.name) == relation.identifier and candidate.schema == relation.schema %}{{ return(candidate) }}{% endif %}
  {% endfor %}
  {% do exceptions.raise_compiler_error('[afterimage] ' ~ relation ~ ' is not ' ~ what ~ ' of this project.') %}
{% endmacro %}
