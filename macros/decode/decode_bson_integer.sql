{#
  MongoDB int and long. A field may hold an int in one document and a long or a double in the next, because clients choose: a double without
  a fraction, small enough to be exact, is the same number. Out: dict of templates, see decoder.
#}
{% macro decode_bson_integer(type, settings) %}
  {% set spark_type = 'int' if type['name'] == 'int' else 'bigint' %}
  {% set of_double = "case when {raw} rlike '^-?[0-9]+[.eE]' and abs(try_cast({raw} as double)) <= 9007199254740992D and try_cast({raw} as double) = floor(try_cast({raw} as double))"
                     ~ " then try_cast(floor(try_cast({raw} as double)) as " ~ spark_type ~ ") end" %}
  {{ return(afterimage.bson_decoder(spark_type, "if({raw} rlike '^-?[0-9]+$', try_cast({raw} as " ~ spark_type ~ "), " ~ of_double ~ ")")) }}
{% endmacro %}
