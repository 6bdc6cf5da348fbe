{# The contracts of change logs, in their order. In: list of ref() of change logs. #}
{% macro contracts_of_logs(change_logs) %}
  {% set contracts = [] %}
  {% for change_log in change_logs %}{% do contracts.append(afterimage.contract_of_change_log(change_log)) %}{% endfor %}
  {{ return(contracts) }}
{% endmacro %}
