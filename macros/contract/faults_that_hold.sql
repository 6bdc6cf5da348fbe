{# The texts of the faults that hold, a list. In: beginning of each fault; list of (whether it holds, its text). #}
{% macro faults_that_hold(where, found) %}
  {% set faults = [] %}
  {% for is_there, text in found if is_there %}{% do faults.append(where ~ text) %}{% endfor %}
  {{ return(faults) }}
{% endmacro %}
