{# True (SQL) when a column of topics names one of the contract's. #}
{% macro has_topic(column, contract) %}
  {% set topics = [] %}
  {% for topic in contract['topics'] %}{% do topics.append(afterimage.literal(topic)) %}{% endfor %}
  {{ return(column ~ ' = ' ~ topics[0] if topics | length == 1 else column ~ ' in (' ~ topics | join(', ') ~ ')') }}
{% endmacro %}
