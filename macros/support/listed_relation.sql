{#
  A relation from dbt's list of a schema; none if it is not listed.
  Spark's own catalog stores names in lower case, other catalogs as given, and dbt reports a name in different case as
  an error ("found an approximate match"): so a name with capitals is looked up as the session's catalog stores it.
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
{% macro companion_name(relation, suffix, schema=none) %}
  {{ return(api.Relation.create(database=relation.database, schema=schema or relation.schema, identifier=relation.identifier ~ suffix)) }}
{% endmacro %}


{# Adds a table or a view that this run created to dbt's list. In: relation; its type. #}
{% macro list_relation(relation, type='table') %}
  {% do adapter.cache_added(relation.incorporate(type=type, path={'schema': afterimage._as_kept(relation.schema), 'identifier': afterimage._as_kept(relation.identifier)})) %}
{% endmacro %}


{# A name as the session's catalog stores it; the catalog is queried once a run, and only for a name with capitals. #}
{% macro _as_kept(name) %}
  {% if name == name | lower %}{{ return(name) }}{% endif %}
  {% set known = afterimage.run_memory('catalog') %}
  {% if not known %}{% do known.update({'name': afterimage.ask('read the current catalog', 'select current_catalog()').rows[0][0]}) %}{% endif %}
  {{ return(name | lower if known['name'] == 'spark_catalog' else name) }}
{% endmacro %}
