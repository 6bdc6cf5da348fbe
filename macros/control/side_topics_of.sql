{# The topics of one kind. In: contracts, kind. Out: list, sorted. #}
{% macro side_topics_of(contracts, kind) %}
  {% set found = [] %}
  {% for topic, what in afterimage.side_topics(contracts).items() if what == kind %}{% do found.append(topic) %}{% endfor %}
  {{ return(found | sort) }}
{% endmacro %}
