{# The contract enforced on a model: names and types of a select against the model's YAML. #}
{% macro enforce_contract(sql) %}
  {% if config.get('contract') and config.get('contract').enforced %}
    {% do get_assert_columns_equivalent(sql) %}
  {% endif %}
{% endmacro %}
