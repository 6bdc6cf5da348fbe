{#
  The position of a change as one text that sorts as text within its scope; one file per connector.
  In: contract, SQL of the envelope's source struct. Out: SQL text expression.
#}
{% macro position(contract, source) %}
  {{ return(context['afterimage']['position_' ~ contract['connector']](source)) }}
{% endmacro %}
