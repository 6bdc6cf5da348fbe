{# True when the compiled model is run or built as itself; false in a unit test, where the inputs are given and nothing exists yet. #}
{% macro is_model_run() %}
  {{ return(execute and model.resource_type == 'model') }}
{% endmacro %}


{#
  The table a model has built so far (with a suffix: the one beside it), or none: on first run, on --full-refresh and in unit tests,
  where even `this` is no relation.
#}
{% macro built_so_far(this, suffix='') %}
  {% if not afterimage.is_model_run() or should_full_refresh() %}{{ return(none) }}{% endif %}
  {% set relation = afterimage.beside(this, suffix) if suffix else this %}
  {{ return(adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier)) }}
{% endmacro %}


{# A table kept beside a model under the model's name and a suffix: __ledger, __log, __batch. #}
{% macro beside(relation, suffix) %}
  {{ return(api.Relation.create(schema=relation.schema, identifier=relation.identifier ~ '__' ~ suffix)) }}
{% endmacro %}


{#
  A number or text kept in a table's properties under afterimage.<name>: how progress is remembered (a hint recorded after the data;
  losing it costs work, never rows). Out: the text, or the default.
#}
{% macro table_property(relation, name, default=none) %}
  {% set found = run_query("show tblproperties " ~ relation ~ " ('afterimage." ~ name ~ "')") %}
  {% set value = found.rows[0][1] if found.rows | length else none %}
  {{ return(default if value is none or 'does not have property' in value else value) }}
{% endmacro %}


{# Writes what table_property reads. In: relation, name without the prefix, value (a number or a plain text of ours, never data). #}
{% macro set_table_property(relation, name, value) %}
  {% do run_query("alter table " ~ relation ~ " set tblproperties ('afterimage." ~ name ~ "' = '" ~ value ~ "')") %}
{% endmacro %}
