{#
  The change logs that no quality model of their source reads, where the source has such models: their records are not counted. Found from the
  graph alone. Out: list of text, one for each of accounting, quarantine and accounting_by_run, and each source, that lacks some.
#}
{% macro change_logs_left_out() %}
  {% set logs = {} %}
  {% for node in graph.nodes.values() if node.resource_type == 'model' and node.config.materialized == 'cdc_change_log' %}
    {% for id in node.depends_on.nodes if id in graph.sources and afterimage.has_contract(graph.sources[id]) %}
      {% do logs.update({node.unique_id: {'name': node.name, 'source': graph.sources[id].source_name}}) %}
    {% endfor %}
  {% endfor %}
  {% set said = [] %}
  {% for macro in ['accounting', 'quarantine', 'accounting_by_run'] %}
    {% set asked, models = [], {} %}
    {% for node in graph.nodes.values() if node.resource_type == 'model' and 'macro.afterimage.' ~ macro in node.depends_on.macros %}
      {% for id in node.depends_on.nodes if id in logs %}
        {% do asked.append(id) %}
        {% do models.update({logs[id]['source']: node.name}) %}
      {% endfor %}
    {% endfor %}
    {% for source, model_name in models.items() %}
      {% set lacks = [] %}
      {% for id, log in logs.items() if log['source'] == source and id not in asked %}{% do lacks.append("ref('" ~ log['name'] ~ "')") %}{% endfor %}
      {% if lacks %}{% do said.append(model_name ~ ' lacks ' ~ lacks | sort | join(', ')) %}{% endif %}
    {% endfor %}
  {% endfor %}
  {{ return(said) }}
{% endmacro %}
