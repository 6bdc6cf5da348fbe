{#
  Looks for all change logs of a landing table at once, so that one without news costs no statement of its own: how many records landing has of
  each topic, with a checksum of their coordinates, and how many rows the change logs and their ledgers have. Asked once a run, where the run
  makes two change logs of that table or more, by the first of them that looks; what lands later is the next run's.

  In:  landing relation; has_topics, whether landing's records are asked for too.
  Out: {topics: {topic: [records, low, high]}, held: {change log: [rows, rows of its ledger]}}; empty ones where there are fewer than two, and for
  one with a pre-hook, which may land records.
#}
{% macro look_at_all(landing, has_topics) %}
  {% set found = {'topics': {}, 'held': {}} %}
  {% if model.config.get('pre-hook') %}{{ return(found) }}{% endif %}
  {% set known, name = afterimage.run_memory('looks'), landing ~ (' and its topics' if has_topics else '') %}
  {% if name not in known %}
    {% set change_logs, topics = afterimage._change_logs_of_run(landing) %}
    {% if change_logs | length > 1 %}
      {% if has_topics %}
        {% do found['topics'].update(afterimage._rows_by_name(
          'select topic, ' ~ afterimage.checksum('topic', 'partition', 'offset', 'true') | join(', ') ~ ' from ' ~ landing
          ~ ' where topic in (' ~ topics | unique | join(', ') ~ ') group by topic')) %}
      {% endif %}
      {# a hundred at a time: Spark plans each as a query of its own #}
      {% for some in change_logs | batch(100) %}
        {% set counts = [] %}
        {% for change_log in some %}
          {% do counts.append('select ' ~ afterimage.literal(afterimage._name_of(change_log)) ~ ', ' ~ afterimage.counts_held(change_log)) %}
        {% endfor %}
        {% do found['held'].update(afterimage._rows_by_name(counts | join(' union all '))) %}
      {% endfor %}
    {% endif %}
    {% do known.update({name: found}) %}
  {% endif %}
  {{ return(known[name]) }}
{% endmacro %}


{# The change logs of a landing table that this run makes and that stand, and (SQL) the topics of all of them. #}
{% macro _change_logs_of_run(landing) %}
  {% set change_logs, topics = [], [] %}
  {% for id in selected_resources if id in graph.nodes and graph.nodes[id].config.materialized == 'cdc_change_log' %}
    {% set node = graph.nodes[id] %}
    {% set contract = afterimage.contract_of_model(node) %}
    {% set there = adapter.get_relation(database=node.database, schema=node.schema, identifier=node.alias) %}
    {% if there and contract['landing'] == afterimage.landing_name(landing) and afterimage.is_there(afterimage.companion_table(there, 'ledger')) %}
      {% do change_logs.append(there) %}
      {% for topic in contract['topics'] %}{% do topics.append(afterimage.literal(topic)) %}{% endfor %}
    {% endif %}
  {% endfor %}
  {{ return((change_logs, topics)) }}
{% endmacro %}


{# The rows of a query by their first column: {text: list of the others}. #}
{% macro _rows_by_name(query) %}
  {% set found = {} %}
  {% for row in afterimage.ask('one look for all change logs of this landing table', query).rows %}{% do found.update({row[0]: row.values()[1:] | map('int') | list}) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}
