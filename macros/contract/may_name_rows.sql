{# Whether the key of a row may stand in ledger and quarantine: there is one, and none of its columns is sensitive. #}
{% macro may_name_rows(contract) %}
  {{ return(contract['key'] | length > 0 and contract['key'] | select('in', contract['sensitive']) | list == []) }}
{% endmacro %}
