{#
  Decoder of an object whose text Spark can cast to a type, or else keep as text.
  In:  moment, from structured_moment; type, the Spark type; fits, SQL of whether the type holds such a value; is_finer, SQL of whether it holds
       fewer of its digits, so that the text is kept too.
#}
{% macro structured_value(moment, type, fits, is_finer=none) %}
  {% set value = "case when " ~ moment['is_whole'] ~ " and " ~ fits ~ " then try_cast(" ~ moment['text'] ~ " as " ~ type ~ ") end" %}
  {{ return({
    'literal': moment['literal'],
    'type': type,
    'value': value,
    'special': "case when {raw}.specialValue is not null then " ~ moment['infinity'] ~ " when " ~ moment['is_whole'] ~ " and " ~ (value ~ " is null" if not is_finer else "(" ~ value ~ " is null or " ~ is_finer ~ ")") ~ " then concat("
               ~ moment['text'] ~ ", " ~ moment['era'] ~ ") end",
    'refuse': "{raw} is not null and not " ~ moment['is_whole'] ~ " and " ~ moment['infinity'] ~ " is null",
  }) }}
{% endmacro %}
