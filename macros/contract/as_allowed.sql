{#
  A value of a contract in its allowed spelling, whatever its letter case: a connector's own settings take either.
  In: value; allowed, a list or none. Out: the value, or its allowed word.
#}
{% macro as_allowed(value, allowed) %}
  {% if value is string and allowed and value not in allowed %}
    {% for word in allowed if word is string and word | lower == value | lower %}{{ return(word) }}{% endfor %}
  {% endif %}
  {{ return(value) }}
{% endmacro %}
