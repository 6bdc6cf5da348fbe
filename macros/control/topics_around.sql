{#
  The known topics of some kinds. In: contracts; kinds, list; asked, the macro that needs them; and what to declare.
  Errors: none is known.
#}
{% macro topics_around(contracts, kinds, asked, declare) %}
  {% set topics = [] %}
  {% for kind in kinds %}{% do topics.extend(afterimage.side_topics_of(contracts, kind)) %}{% endfor %}
  {% if not topics %}
    {% do exceptions.raise_compiler_error('[afterimage] ' ~ asked ~ ' of ' ~ contracts[0]['source_name'] ~ ': their topic is not known: ' ~ declare) %}
  {% endif %}
  {{ return(topics | unique(case_sensitive=true) | list) }}
{% endmacro %}
