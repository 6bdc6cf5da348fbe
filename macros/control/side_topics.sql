{#
  The topics around the data: {topic: what it is}. Those of the connector by topic_prefix, and what contracts declare under side_topics, which
  goes before. In: contracts. Source: Debezium documentation, "topic names" of each connector.
#}
{% macro side_topics(contracts) %}
  {% set known = {} %}
  {% for contract in contracts if contract['topic_prefix'] %}
    {% do known.update({
      contract['topic_prefix'] ~ '.transaction': 'transaction',
      contract['topic_prefix'] ~ '.message': 'message',
      '__debezium-heartbeat.' ~ contract['topic_prefix']: 'heartbeat',
      contract['topic_prefix']: 'schema change',
    }) %}
  {% endfor %}
  {% for contract in contracts %}{% do known.update(contract['side_topics'] or {}) %}{% endfor %}
  {{ return(known) }}
{% endmacro %}
