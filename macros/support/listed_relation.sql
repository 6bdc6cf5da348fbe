{#
  A relation as dbt's list of a schema has it; none where it is not there.
  Spark's own catalog keeps names in small letters whatever they were given in, other catalogs as they are given, and dbt takes a name in
  other letters for a mistake ("found an approximate match"): so a name with capitals is looked for as the session's catalog keeps it.
  In: relation.
#}
{% macro listed_relation(relation) %}
  {{ return(adapter.get_relation(database=relation.database, schema=afterimage._as_kept(relation.schema), identifier=afterimage._as_kept(relation.identifier))) }}
{% endmacro %}


{# The relation of a model's node, whether it exists or not. #}
{% macro relation_of(node) %}
  {{ return(api.Relation.create(database=node.database, schema=node.schema, identifier=node.alias)) }}
{% endmacro %}


{# The relation whose name has a suffix, whether it exists or not. In: relation; suffix; schema, that of the relation by default. #}
{% macro named_beside(relation, suffix, schema=none) %}
  {{ return(api.Relation.create(database=relation.database, schema=schema or relation.schema, identifier=relation.identifier ~ suffix)) }}
{% endmacro %}


{# Has dbt's list gain a table, or a view, that this run made. In: relation; its type. #}
{% macro list_relation(relation, type='table') %}
  {% do adapter.cache_added(relation.incorporate(type=type, path={'schema': afterimage._as_kept(relation.schema), 'identifier': afterimage._as_kept(relation.identifier)})) %}
{% endmacro %}


{# A name as the session's catalog keeps it; which one that is, is asked once a run, and only of a name with capitals. #}
{% macro _as_kept(name) %}
  {% if name == name | lower %}{{ return(name) }}{% endif %}
  {% set known = afterimage.run_memory('catalog') %}
  {% if not known %}{% do known.update({'name': afterimage.ask('which catalog names tables', 'select current_catalog()').rows[0][0]}) %}{% endif %}
  {{ return(name | lower if known['name'] == 'spark_catalog' else name) }}
{% endmacro %}
