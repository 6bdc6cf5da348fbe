{#
  A declared outbox: the source's config.meta.outbox overlaid by the table's, with defaults.
  In: a source node of dbt's graph. Out: dict with every key of outbox_keys() plus source_name, table_name, origin
  (file), landing (schema.table), topics (list) and placement (see outbox_placement).
#}
{% macro outbox_of_source(node) %}
  {% set over_source, over_table = afterimage.declared_levels(node, 'outbox') | map('default', {}, true) %}
  {{ return(afterimage.outbox_from(dict(over_source, **over_table), node.source_name, node.name, node.original_file_path, node.schema ~ '.' ~ node.identifier)) }}
{% endmacro %}


{# The same from a dict of keys. #}
{% macro outbox_from(given, source_name, table_name, origin, landing) %}
  {% set outbox = {'source_name': source_name, 'table_name': table_name, 'origin': origin, 'landing': landing} %}
  {% for name, key in afterimage.outbox_keys().items() %}
    {% do outbox.update({name: key.get('default') if given.get(name) is none else given[name]}) %}
  {% endfor %}
  {% do outbox.update({
    'topics': [outbox['topic']] if outbox['topic'] is string else outbox['topic'] | list if outbox['topic'] is iterable else [],
    'placement': afterimage.outbox_placement(outbox['fields_additional_placement']),
  }) %}
  {% for place in outbox['placement'] if place['column'] == 'type' and place['placement'] in ['header', 'envelope'] and outbox['event_type'] is none %}
    {% do outbox.update({'event_type': place['placement'] ~ ':' ~ place['alias']}) %}
  {% endfor %}
  {{ return(outbox) }}
{% endmacro %}


{# Whether a source table is declared as an outbox. A declaration for all tables of the source does not make one. #}
{% macro has_outbox(node) %}
  {% set of_source, of_table = afterimage.declared_levels(node, 'outbox') %}
  {{ return(of_table not in [none, of_source]) }}
{% endmacro %}


{#
  The outbox that a model is built on, followed through ref() back to its source(). In: a model node. Raises without
  one.
#}
{% macro outbox_of_model(node) %}
  {% set source_node = afterimage.source_of_model(node) %}
  {% if not afterimage.has_outbox(source_node) %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] model ' ~ node.name ~ ': ' ~ source_node.source_name ~ '.' ~ source_node.name ~ ' is not declared as an outbox. Say config.meta.outbox '
      ~ 'under that table in ' ~ source_node.original_file_path ~ ' (dbt_packages/afterimage/docs/how-to/outbox.md); outbox: {captured: router} is enough for what the router writes by default.') %}
  {% endif %}
  {{ return(afterimage.outbox_of_source(source_node)) }}
{% endmacro %}
