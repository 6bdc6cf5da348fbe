{#
  Which appends to the log of a current state count. In: the log's properties.
  Out: {whole, the append that holds all rows of its time; later, the first append after it; append, the last one that counts: any later one
    was cut off, or is being written; replaced, how many rows the later ones have, none if not counted}.
#}
{% macro state_appends(known) %}
  {% set append = known.get('append', 0) | int %}
  {{ return({
    'whole': known.get('whole', 0) | int,
    'later': known.get('later', append + 1) | int,
    'append': append,
    'replaced': known['replaced'] | int if 'replaced' in known else none,
  }) }}
{% endmacro %}
