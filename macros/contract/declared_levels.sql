{#
  What a source declares for all of its tables, and what one of them declares: dbt hands the first on to a table that declares nothing.
  In: a source node of dbt's graph; key of its meta. Out: the two values, none where nothing is declared.
#}
{% macro declared_levels(node, key) %}
  {{ return([(node.source_meta or {}).get(key), ((node.config.meta if node.config is defined else none) or node.meta or {}).get(key)]) }}
{% endmacro %}
