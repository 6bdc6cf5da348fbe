{#
  Refuses a view whose text the session's catalog cannot hold, before the catalog's own error. Hive's metastore on
  Derby, the default of an embedded Spark, holds 32,700 characters; its other databases hold any view.
  In and out: the view's SQL. Errors: states the size and what to do.
#}
{% macro refuse_long_view(view_sql) %}
  {% set longest = 32700 %}
  {% if view_sql | length > longest and config.get('materialized') == 'view' and afterimage.is_model_run() and afterimage._keeps_views_in_derby() %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': the view has ' ~ view_sql | length ~ ' characters, and this catalog (Hive on Derby) holds ' ~ longest
      ~ '. Make the model a table: `+materialized: table` in dbt_project.yml, or use a catalog on a server (or Iceberg).') %}
  {% endif %}
  {{ return(view_sql) }}
{% endmacro %}


{% macro _keeps_views_in_derby() %}
  {% if run_query('select current_catalog()').rows[0][0] != 'spark_catalog' %}{{ return(false) }}{% endif %}
  {% if run_query('set spark.sql.catalogImplementation').rows[0][1] != 'hive' %}{{ return(false) }}{% endif %}
  {% set uris = run_query('set spark.hadoop.hive.metastore.uris').rows[0][1] %}
  {% set database = run_query('set spark.hadoop.javax.jdo.option.ConnectionURL').rows[0][1] %}
  {{ return(uris in ('', '<undefined>') and ('derby' in database or database == '<undefined>')) }}
{% endmacro %}
