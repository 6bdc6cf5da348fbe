{#
  The source tables that the selected nodes of this run read, directly or through other models: a list of their unique ids; none where there is no
  selection (an operation), which means all. Found from the graph alone.
#}
{% macro sources_selected() %}
  {# in a run-operation dbt keeps the selection of the command before it #}
  {% if afterimage.is_run_operation() or not selected_resources %}{{ return(none) }}{% endif %}
  {% set found, seen, level = [], {}, {'ids': selected_resources | list} %}
  {# level by level: no path is longer than the number of nodes #}
  {% for step in range(graph.nodes | length) if level['ids'] %}
    {% set above = [] %}
    {% for id in level['ids'] if id not in seen %}
      {% do seen.update({id: true}) %}
      {% if id in graph.sources %}{% do found.append(id) %}{% endif %}
      {% do above.extend((graph.nodes.get(id, {}).get('depends_on') or {}).get('nodes', [])) %}
    {% endfor %}
    {% do level.update({'ids': above}) %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}
