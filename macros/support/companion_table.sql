{#
  The companion table of a model, named after the model with a suffix: __ledger, __log, __batch. It is in the model's
  schema, or in that of the model's config `afterimage_schema`, which the project's generate_schema_name resolves as
  it does `schema`.
  In: relation, of a model or of such a table; suffix. Out: relation, whether it exists or not.
#}
{% macro companion_table(relation, suffix) %}
  {% set schema = afterimage._companion_schemas().get(afterimage.relation_name(relation)) %}
  {{ return(afterimage.companion_name(relation, '__' ~ suffix, schema)) }}
{% endmacro %}


{#
  The companion schemas of the models that configure one: {name of the model's table: schema}. Read once a run.
  Raises for two models with the same alias whose companion tables would be the same.
#}
{% macro _companion_schemas() %}
  {% set known = afterimage.run_memory('companions') %}
  {% if 'schemas' not in known %}
    {% set schemas, owners = {}, {} %}
    {% for node in graph.get('nodes', {}).values() if node.config.materialized in afterimage.kept_tables() %}
      {% set custom = node.config.get('afterimage_schema') %}
      {% set schema = generate_schema_name(custom, node) | trim if custom else node.schema %}
      {% set other = owners.setdefault((schema, node.alias | lower), node) %}
      {% if other.unique_id != node.unique_id %}
        {% do exceptions.raise_compiler_error(
          '[afterimage] ' ~ other.name ~ ' and ' ~ node.name ~ ': both have the alias ' ~ node.alias ~ ', and their companion tables would be in one schema, ' ~ schema
          ~ '. Give one of them another alias or another afterimage_schema.') %}
      {% endif %}
      {% if custom %}{% do schemas.update({afterimage.relation_name(afterimage.relation_of(node)): schema}) %}{% endif %}
    {% endfor %}
    {% do known.update({'schemas': schemas}) %}
  {% endif %}
  {{ return(known['schemas']) }}
{% endmacro %}


{#
  Creates the companion schema of the model that runs, if it differs from the model's and does not exist. Checked once
  a run.
#}
{% macro ensure_companion_schema(this) %}
  {% set batch = afterimage.companion_table(this, 'batch') %}
  {% set known = afterimage.run_memory('companions').setdefault('made', []) %}
  {% if batch.schema != this.schema and batch.schema not in known %}
    {% if not adapter.check_schema_exists(this.database, batch.schema) %}{% do adapter.create_schema(batch) %}{% endif %}
    {# dbt lists the schema before this run creates a table there: it takes a cache with one table for a complete one #}
    {% do afterimage.listed_relation(batch) %}
    {% do known.append(batch.schema) %}
  {% endif %}
{% endmacro %}
