{#
  The physical tables that other tables of the project read from the topics of a contract (their source_tables): a router sends several tables
  into one topic, and each record belongs to one of them.
  In: contract. Out: list of text; empty where the contract names no source_tables, because then no other may share its topics.
#}
{% macro tables_sharing_topics(contract) %}
  {% set found = [] %}
  {% if not contract['source_tables'] or 'landing' not in contract %}{{ return(found) }}{% endif %}
  {% for node in graph.sources.values() if afterimage.has_contract(node) %}
    {% set other = afterimage.contract_of_source(node) %}
    {% set is_itself = other['source_name'] == contract['source_name'] and other['table_name'] == contract['table_name'] %}
    {% if not is_itself and other['landing'] == contract['landing'] and other['topics'] | select('in', contract['topics']) | list %}
      {% do found.extend(other['source_tables'] or []) %}
    {% endif %}
  {% endfor %}
  {{ return(found | unique(case_sensitive=true) | sort) }}
{% endmacro %}
