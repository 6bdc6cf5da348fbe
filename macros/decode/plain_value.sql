{#
  The value of a literal that is plainly of its type, NULL of every other: what the routine statement of a change log reads (see routine_records).
  A literal with a special value, one that does not fit and one that is read with more care are left to the exact statement.
  In:  decoder (see there). Its `plain` says the same in fewer words than the value itself, guarded by what it takes for granted: no literal
       may make it fail. Out: a template of SQL.
#}
{% macro plain_value(decoder) %}
  {% if decoder.get('plain') %}{{ return(decoder['plain']) }}{% endif %}
  {% if decoder.get('refuse') %}
    {{ return('case when not coalesce(' ~ decoder['refuse'] ~ ', false) then ' ~ decoder['value'] ~ ' end') }}
  {% endif %}
  {{ return(decoder['value']) }}
{% endmacro %}


{# The type such a literal is read as. In: decoder. Out: text. #}
{% macro plain_literal(decoder) %}
  {{ return(decoder.get('plain_literal') or decoder['literal']) }}
{% endmacro %}
