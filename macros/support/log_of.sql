{#
  The log a view stands over: that of a history, or of a current state whose format has no MERGE. A log that is built anew is another table, so
  that readers have the view over the former one until it is made again: two names take turns. Where both stand (a run was cut off), the view
  says which one it reads.
  In: view (relation). Out: relation of the log, whether it stands or not.
#}
{% macro log_of(view) %}
  {% set first, second = afterimage.logs_of(view) %}
  {% if model is defined and not afterimage.is_model_run() or not afterimage._is_listed(second) %}{{ return(first) }}{% endif %}
  {% if not afterimage._is_listed(first) %}{{ return(second) }}{% endif %}
  {{ return(second if afterimage.properties_of_view(view).get('log') == second.identifier else first) }}
{% endmacro %}


{# Both names, the one that is taken first first. #}
{% macro logs_of(view) %}
  {{ return([afterimage.companion_table(view, 'log'), afterimage.companion_table(view, 'log_2')]) }}
{% endmacro %}


{# The log to build anew, for the model whose view is given: one no view reads. What stands there was left by a run that was cut off, and is dropped. #}
{% macro log_built_anew(view) %}
  {% set first, second = afterimage.logs_of(view) %}
  {% set log = second if afterimage.existing_view(view) and afterimage.log_of(view).identifier == first.identifier else first %}
  {% do afterimage.drop_if_there(log) %}
  {{ return(log) }}
{% endmacro %}


{# Drops the log that a view does not read any more. In: view; log, the one it reads. #}
{% macro drop_former_log(view, log) %}
  {% for name in afterimage.logs_of(view) if name.identifier != log.identifier %}{% do afterimage.drop_if_there(name) %}{% endfor %}
{% endmacro %}


{# What is remembered with a view (see table_properties); {} where there is none. Asks the catalog. #}
{% macro properties_of_view(view) %}
  {% if not run_query('show views in ' ~ view.schema ~ ' like ' ~ afterimage.literal(view.identifier)).rows | length %}{{ return({}) }}{% endif %}
  {{ return(afterimage.properties_in(run_query('show tblproperties ' ~ view).rows)) }}
{% endmacro %}


{% macro _is_listed(relation) %}
  {{ return(afterimage.listed_relation(relation.schema, relation.identifier, relation.database) is not none) }}
{% endmacro %}
