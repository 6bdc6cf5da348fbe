{#
  The known extent of replaced versions in a history's log: {clean: the append through which there is none; rows: how many rows of later
  appends replace some, none if not counted}. In: its properties.
#}
{% macro replaced_in_log(known) %}
  {{ return({'clean': known.get('clean', 0) | int, 'rows': known['replaced'] | int if 'replaced' in known else none}) }}
{% endmacro %}
