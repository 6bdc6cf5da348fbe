{#
  Removes the files and old versions that still hold values of erased rows, after history and current state were rebuilt. `afterimage erase --clean`
  calls it. Parquet has none: a rewrite and a rebuild remove the former files.

  In:  table, as source.table; keep_hours, how far back readers can still time travel (Delta, Iceberg); with 0 nothing may read or write the tables.
  Raises where history or current state were not rebuilt since the change log was rewritten.
#}
{% macro erase_clean(table, keep_hours=168) %}
  {% set nodes = afterimage.models_of_table(table, 'erase') %}
  {% set node, built, contract = afterimage._change_log_to_erase(nodes, table) %}
  {% set built_generation = afterimage.properties_unchecked(built).get('generation', '') %}
  {% set generation = built_generation %}
  {% for name in ['cdc_history', 'cdc_current'] if name in nodes %}
    {% set model_relation = afterimage.relation_of(nodes[name]) %}
    {% set is_log = name == 'cdc_history' or not afterimage.table_format(afterimage.file_format_of(nodes[name]))['merge'] %}
    {% set made = afterimage.listed_relation(afterimage.log_of(model_relation) if is_log else model_relation) %}
    {% set known = afterimage.properties_unchecked(made) if made else {} %}
    {% set made_of = built_generation if afterimage.reads_change_log(nodes[name]) else generation %}
    {% if made is none or not known.get('made_of', '').startswith(made_of) %}
      {% do exceptions.raise_compiler_error('[afterimage] erase: ' ~ nodes[name].name ~ ' was made before the rows were erased, and holds their values. Run `dbt build`, then clean.') %}
    {% endif %}
    {# a run that was cut off before its end leaves it #}
    {% if is_log %}{% do afterimage.drop_former_log(model_relation, made) %}{% endif %}
    {% set generation = known.get('generation', generation) if name == 'cdc_history' else generation %}
  {% endfor %}
  {% if afterimage.file_format_of(node) == 'parquet' %}
    {% do print('Parquet: the files that held the values are gone.') %}
  {% else %}
    {# Delta refuses fewer hours than 168 otherwise #}
    {% set is_short = afterimage.file_format_of(node) == 'delta' and keep_hours < 168 %}
    {% if is_short %}{% do run_query('set spark.databricks.delta.retentionDurationCheck.enabled = false') %}{% endif %}
    {% do afterimage.maintain(nodes.values() | map(attribute='name') | list, keep_hours) %}
    {% if is_short %}{% do run_query('set spark.databricks.delta.retentionDurationCheck.enabled = true') %}{% endif %}
    {% do print('Old versions older than ' ~ keep_hours ~ ' hours and their files are gone.') %}
  {% endif %}
{% endmacro %}
