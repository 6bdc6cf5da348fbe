{#
  Conditions (SQL) under which a topic belongs to an outbox declared on landing tables. In: topic (SQL); landings,
  names schema.table. Out: list.
#}
{% macro outbox_topics(topic, landings) %}
  {% set found = [] %}
  {% for node in graph.sources.values() if afterimage.has_outbox(node) and node.schema ~ '.' ~ node.identifier in landings %}
    {% do found.append(afterimage.has_outbox_topic(topic, afterimage.outbox_of_source(node))) %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}


{# True (SQL) when a column of topics names one of an outbox, by name or by pattern. #}
{% macro has_outbox_topic(column, outbox) %}
  {% set names, forms = [], [] %}
  {% for topic in outbox['topics'] %}
    {% if afterimage.topic_pattern(topic) %}
      {% do forms.append(column ~ ' rlike ' ~ afterimage.literal(afterimage.topic_pattern(topic))) %}
    {% else %}
      {% do names.append(topic) %}
    {% endif %}
  {% endfor %}
  {% if names %}{% do forms.insert(0, column ~ ' in (' ~ afterimage.literals(names) ~ ')') %}{% endif %}
  {{ return('(' ~ forms | join(' or ') ~ ')' if forms | length > 1 else forms[0]) }}
{% endmacro %}


{#
  The type of aggregate (SQL) in a topic's name: the value of ${routedByValue}, or without one of the first ${…}; NULL
  for a topic declared by its name.
#}
{% macro aggregate_type_of_topic(column, outbox) %}
  {% set found = [] %}
  {% for topic in outbox['topics'] if afterimage.topic_pattern(topic) %}
    {% set names = modules.re.findall('[$][{](.*?)[}]', topic) %}
    {% set group = names.index('routedByValue') + 1 if 'routedByValue' in names else 1 %}
    {% do found.append("nullif(regexp_extract(" ~ column ~ ", " ~ afterimage.literal(afterimage.topic_pattern(topic)) ~ ", " ~ group ~ "), '')") %}
  {% endfor %}
  {{ return('coalesce(' ~ found | join(', ') ~ ')' if found | length > 1 else (found or ['cast(null as string)'])[0]) }}
{% endmacro %}


{# Regular expression of the topics that a replacement with ${…} names; none for a plain topic name. #}
{% macro topic_pattern(topic) %}
  {% if not modules.re.search('[$][{].*?[}]', topic | string) %}{{ return(none) }}{% endif %}
  {% set parts = [] %}
  {% for part in modules.re.split('[$][{].*?[}]', topic) %}{% do parts.append(modules.re.escape(part)) %}{% endfor %}
  {{ return('\\A' ~ parts | join('(.+)') ~ '\\z') }}
{% endmacro %}
