{#
  The columns of every change log, history and current table of the project, from the contracts, printed as one line of JSON for
  `afterimage model-yaml`. Called as a run-operation; does not query the database.

  In:  package, the project whose models are listed; by default the project that is run.
  Out: list of {name, path, patch_path, layer, source_name, table_name, source_description, key, skipped, laws, columns: [{name, data_type, quote, source_type, source_name, source_description}]};
       skipped, operations the connector leaves out; laws, {test: arguments} that hold for the model;
       source_type is none for the columns afterimage adds; source_name is there where the column has another name in the source;
       source_description is what the source's own YAML says of the table, and of the column.
#}
{% macro model_columns(package=none) %}
  {% set found = [] %}
  {% for node in graph.nodes.values()
        if node.resource_type == 'model' and node.package_name == (package or project_name) and node.config.materialized in afterimage.kept_tables() %}
    {% set contract = afterimage.contract_of_model(node) %}
    {% set layers = {
      'cdc_change_log': afterimage.change_log_columns(contract),
      'cdc_history': afterimage.history_columns(),
      'cdc_current': afterimage.current_columns(contract),
    } %}
    {% set of_source = {} %}
    {% for column in contract['columns'] %}{% do of_source.update({column['name']: column}) %}{% endfor %}
    {% set source = afterimage.source_of_model(node) %}
    {% set in_source = source.columns %}
    {% set columns = [] %}
    {% for column in afterimage.layer_columns(contract, layers[node.config.materialized]) %}
      {% do columns.append({
        'name': column['name'],
        'data_type': column['type'],
        'quote': column['sql'] != column['name'],
        'source_type': of_source.get(column['name'], {}).get('source_type'),
        'source_name': of_source.get(column['name'], {}).get('source_name'),
        'source_description': in_source.get(of_source.get(column['name'], {}).get('source_name') or column['name'], {}).get('description') or '',
      }) %}
    {% endfor %}
    {% do found.append({
      'name': node.name,
      'path': node.original_file_path,
      'patch_path': node.patch_path,
      'layer': node.config.materialized,
      'source_name': contract['source_name'],
      'table_name': contract['table_name'],
      'source_description': source.description or '',
      'key': contract['key'],
      'skipped': afterimage.skipped_operations(contract),
      'laws': afterimage._laws_of_model(node, contract),
      'columns': columns,
    }) %}
  {% endfor %}
  {% do print(tojson(found)) %}
{% endmacro %}


{# The generic tests of a model's guarantees, with their arguments. #}
{% macro _laws_of_model(node, contract) %}
  {% set mark = contract['settings']['unavailable_value_placeholder'] %}
  {% set no_mark_left = {'cdc_no_placeholder_left': {'placeholder': mark} if mark != afterimage.contract_settings()['unavailable_value_placeholder']['default'] else {}} %}
  {% if node.config.materialized == 'cdc_change_log' %}{{ return({'cdc_order_unique': {}}) }}{% endif %}
  {% if node.config.materialized == 'cdc_history' %}{{ return(dict({'cdc_intervals': {}}, **no_mark_left)) }}{% endif %}
  {% set agreement = {} if afterimage.reads_change_log(node) else {'cdc_agreement': {'history': "ref('" ~ node.refs[0].name ~ "')"}} %}
  {{ return(dict(agreement, **no_mark_left)) }}
{% endmacro %}
