{#
  Refuses a table format that the session would not write, before anything is written or dropped. Without this check
  Spark silently creates tables of another format (with a default catalog of Iceberg, Parquet tables become Iceberg
  tables), and a server merges into tables of the same name in another catalog (a default catalog set in a profile has
  no effect over Thrift).

  In: relation to be written; file_format. With --full-refresh a table of another format may exist: it is dropped. So
  is the view of a current state whose format has changed.
#}
{% macro check_format(relation, file_format) %}
  {% set format = afterimage.table_format(file_format) %}
  {% set existing = afterimage.listed_relation(relation) %}
  {# what a view reads is rebuilt in another format; if this format also uses views, the log they read has a check
     of its own #}
  {% set is_new = existing is none or should_full_refresh() or (existing.type == 'view' and format['merge']) %}
  {% if is_new and file_format not in afterimage.run_memory('sessions') %}
    {% do adapter.dispatch('check_session', 'afterimage')(relation, file_format) %}
    {% do afterimage.run_memory('sessions').update({file_format: true}) %}
  {% elif not is_new and existing.type != 'view' %}
    {% set found = modules.re.findall('Provider: *([A-Za-z]+)', existing.information or '') %}
    {% if found and found[0] | lower != file_format %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] ' ~ model.name ~ ': ' ~ relation ~ ' is a table of ' ~ found[0] ~ ', and file_format of the model is ' ~ file_format
        ~ '. Nothing was written. Set file_format to ' ~ found[0] | lower ~ ', use a target with a catalog of its own, or rebuild it with --full-refresh '
        ~ 'while landing still holds the start.') %}
    {% endif %}
  {% endif %}
{% endmacro %}


{# Refuses a format that the session's catalog is known not to create. An unknown catalog is accepted. #}
{% macro spark__check_session(relation, file_format) %}
  {% set catalog = afterimage.ask('read the current schema', 'select current_catalog()').rows[0][0] %}
  {% set plugin = afterimage.ask('read the format of its tables', 'set spark.sql.catalog.' ~ catalog).rows[0][1] %}
  {% set is_plain = plugin in ['<undefined>', 'builtin'] %}
  {% set catalog_is = 'its catalog ' ~ catalog ~ ' is ' ~ ("Spark's own" if is_plain else plugin) %}
  {% set fault = none %}
  {% if file_format == 'iceberg' and (is_plain or 'delta' in plugin) %}
    {% set fault = catalog_is ~ '. Start Spark with the jar of Iceberg, its catalog and spark.sql.defaultCatalog' %}
  {% elif file_format == 'delta' and (is_plain or 'iceberg' in plugin) %}
    {% set fault = catalog_is ~ '. Start Spark with the jars of Delta, its catalog and its extension' %}
  {% elif file_format == 'delta' and 'DeltaCatalog' in plugin and 'DeltaSparkSessionExtension' not in (afterimage.ask('read the session extensions', 'set spark.sql.extensions').rows[0][1] or '') %}
    {% set fault = 'its catalog is that of Delta, but without io.delta.sql.DeltaSparkSessionExtension in spark.sql.extensions there is no MERGE' %}
  {% elif file_format == 'parquet' and 'iceberg' in plugin and 'SparkSessionCatalog' not in plugin %}
    {% set fault = catalog_is ~ ', which makes Iceberg tables of all. Set file_format to iceberg, or choose a target without that default catalog' %}
  {% endif %}
  {% if fault %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': ' ~ relation ~ ' must be a table of ' ~ file_format ~ ', which this Spark cannot create: ' ~ fault
      ~ '. Nothing was written. The targets delta and iceberg in profiles/profiles.yml of afterimage show settings that work; over Thrift they are settings '
      ~ 'of the server, not of the profile.') %}
  {% endif %}
{% endmacro %}


{# A Databricks warehouse exposes none of these settings; its Unity Catalog creates managed tables only in Delta. #}
{% macro databricks__check_session(relation, file_format) %}
  {% if file_format != 'delta' %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': ' ~ relation ~ ' must be a table of Delta on Databricks, and file_format of the model is ' ~ file_format
      ~ '. Nothing was written. Set +file_format: delta.') %}
  {% endif %}
{% endmacro %}
