{#
  A value in a form that casts and to_json write the same in every session time zone, to the last microsecond: an instant becomes its
  microseconds since 1970, a wall clock its text, within arrays too. (to_json by itself writes milliseconds, and instants in the session's zone.)
  In: SQL of the value, its Spark type. Out: SQL.
#}
{% macro zoneless(value, type, depth=0) %}
  {% if type == 'timestamp' %}{{ return('unix_micros(' ~ value ~ ')') }}{% endif %}
  {% if type == 'timestamp_ntz' %}{{ return('cast(' ~ value ~ ' as string)') }}{% endif %}
  {% if type.startswith('array<') and 'timestamp' in type %}
    {% set element = 'e' ~ depth %}
    {{ return('transform(' ~ value ~ ', ' ~ element ~ ' -> ' ~ afterimage.zoneless(element, type[6:-1], depth + 1) ~ ')') }}
  {% endif %}
  {{ return(value) }}
{% endmacro %}
