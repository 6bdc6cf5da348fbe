{#
  The topics besides the data: {topic: its kind}. Those of the connector by topic_prefix, those of its helper tables,
  and those that contracts declare under side_topics, which take precedence. In: contracts. Source: Debezium
  documentation, "topic names" and "signaling" of each connector.
#}
{% macro side_topics(contracts) %}
  {% set known = {} %}
  {% for contract in contracts if contract['topic_prefix'] %}
    {% do known.update({
      contract['topic_prefix'] ~ '.transaction': 'transaction',
      contract['topic_prefix'] ~ '.message': 'message',
      contract['topic_prefix'] ~ '-signal': 'signal',
      '__debezium-heartbeat.' ~ contract['topic_prefix']: 'heartbeat',
      contract['topic_prefix']: 'schema change',
    }) %}
    {% for table, kind in (contract.get('helper_tables') or {}).items() %}
      {% do known.update({contract['topic_prefix'] ~ '.' ~ table: afterimage.helper_kinds().get(kind, kind)}) %}
    {% endfor %}
  {% endfor %}
  {% for contract in contracts %}{% do known.update(contract['side_topics'] or {}) %}{% endfor %}
  {{ return(known) }}
{% endmacro %}
