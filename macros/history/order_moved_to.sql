{#
  The order of a row as if it were at another position than its _cdc_position; `otherwise` where there is no such position (the order itself).
#}
{% macro order_moved_to(order, place, otherwise='same') %}
  {% set moved = "concat(" ~ place ~ ", substr(" ~ order ~ ", length(_cdc_position) + 1))" %}
  {{ return("coalesce(" ~ moved ~ ", " ~ order ~ ")" if otherwise else moved) }}
{% endmacro %}
