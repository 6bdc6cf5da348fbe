{#
  The models of a table of a source, for an operation: {materialization: node}. In: table, as source.table; operation, its name for the message.
  Raises for a table that no model is made of.
#}
{% macro models_of_table(table, operation) %}
  {% set nodes = {} %}
  {% for node in graph.nodes.values() if node.config.materialized in afterimage.kept_tables() and node.resource_type == 'model' %}
    {% set contract = afterimage.contract_of_model(node) %}
    {% do nodes.setdefault(contract['source_name'] ~ '.' ~ contract['table_name'], {}).update({node.config.materialized: node}) %}
  {% endfor %}
  {% if table not in nodes %}
    {% do exceptions.raise_compiler_error('[afterimage] ' ~ operation ~ ': no model of ' ~ table ~ '. The project has: ' ~ nodes | sort | join(', ')) %}
  {% endif %}
  {{ return(nodes[table]) }}
{% endmacro %}
