{# Whether this runs in `dbt run-operation`, where `model` is the macro that was called. #}
{% macro is_run_operation() %}
  {{ return(model is not defined or model.resource_type == 'macro') }}
{% endmacro %}
