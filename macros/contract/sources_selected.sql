{#
  The source tables that what this run has selected reads, itself or through other models: a list of their unique ids; none where nothing says what
  is selected (an operation), and all are meant. Told from the graph alone.
#}
{% macro sources_selected() %}
  {# of an operation dbt keeps what the command before it selected #}
  {% if model is not defined or not selected_resources %}{{ return(none) }}{% endif %}
  {% set found, seen, level = [], {}, {'ids': selected_resources | list} %}
  {# level by level: no path is longer than there are nodes #}
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
