{#
  Decoder of an object whose text Spark can cast to a type, or else keep as text.
  In:  moment, of structured_moment; type, the Spark type; fits, SQL of whether it holds such a value.
#}
{% macro structured_value(moment, type, fits) %}
  {% set value = "case when " ~ moment['is_whole'] ~ " and " ~ fits ~ " then try_cast(" ~ moment['text'] ~ " as " ~ type ~ ") end" %}
  {{ return({
    'literal': moment['literal'],
    'type': type,
    'value': value,
    'special': "case when {raw}.specialValue is not null then " ~ moment['infinity'] ~ " when " ~ moment['is_whole'] ~ " and " ~ value ~ " is null then concat("
               ~ moment['text'] ~ ", " ~ moment['era'] ~ ") end",
    'refuse': "{raw} is not null and not " ~ moment['is_whole'] ~ " and " ~ moment['infinity'] ~ " is null",
  }) }}
{% endmacro %}
