{# True (SQL) when a column of topics names one of the contract's topics. #}
{% macro has_topic(column, contract) %}
  {% set topics = afterimage.literals(contract['topics']) %}
  {{ return(column ~ (' = ' ~ topics if contract['topics'] | length == 1 else ' in (' ~ topics ~ ')')) }}
{% endmacro %}
