{#
  The log that a view reads: the log of a history, or of a current state whose format has no MERGE. A rebuild fills
  another table and then replaces the view, so that readers keep the former rows until it is complete; two names take
  turns. Where both tables exist (a run was interrupted), the view says which one it reads.
  In: view (relation). Out: relation of the log, whether it exists or not.
#}
{% macro log_of(view) %}
  {% set first, second = afterimage.logs_of(view) %}
  {# of an operation, dbt calls its macro the model #}
  {% set is_operation = flags.WHICH == 'run-operation' %}
  {% if not is_operation and model is defined and not afterimage.is_model_run() or not afterimage.listed_relation(second) %}{{ return(first) }}{% endif %}
  {% if not afterimage.listed_relation(first) %}{{ return(second) }}{% endif %}
  {{ return(second if afterimage.properties_of_view(view).get('log') == second.identifier else first) }}
{% endmacro %}


{# Both names; the first build uses the first. #}
{% macro logs_of(view) %}
  {{ return([afterimage.companion_table(view, 'log'), afterimage.companion_table(view, 'log_2')]) }}
{% endmacro %}


{#
  The log that a rebuild fills: the one that the view does not read, dropped if an interrupted run left it. In: the
  model's view.
#}
{% macro log_to_rebuild(view) %}
  {% set first, second = afterimage.logs_of(view) %}
  {% set log = second if afterimage.existing_view(view) and afterimage.log_of(view).identifier == first.identifier else first %}
  {% do afterimage.drop_if_there(log) %}
  {{ return(log) }}
{% endmacro %}


{# Drops the log that a view no longer reads. In: view; log, the one it reads. #}
{% macro drop_former_log(view, log) %}
  {% for name in afterimage.logs_of(view) if name.identifier != log.identifier %}{% do afterimage.drop_if_there(name) %}{% endfor %}
{% endmacro %}


{# The state stored with a view (see table_properties); {} without a view. Asks the catalog. #}
{% macro properties_of_view(view) %}
  {% if not run_query('show views in ' ~ view.include(identifier=false) ~ ' like ' ~ afterimage.literal(view.identifier)).rows | length %}{{ return({}) }}{% endif %}
  {{ return(afterimage.properties_unchecked(view)) }}
{% endmacro %}
