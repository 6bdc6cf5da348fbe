{#
  The order of a row as if it lay at another place in the log than its _cdc_position; `otherwise` where there is no such place (the order itself).
#}
{% macro order_moved_to(order, place, otherwise='same') %}
  {% set moved = "concat(" ~ place ~ ", substr(" ~ order ~ ", length(_cdc_position) + 1))" %}
  {{ return("coalesce(" ~ moved ~ ", " ~ order ~ ")" if otherwise else moved) }}
{% endmacro %}
