{#
  The value of a literal that is plainly of its type, NULL for any other: the routine statement of a change log reads it (see routine_records).
  A literal with a special value, one that does not fit and one that needs more care are left to the exact statement.
  In:  decoder (see there). Its `plain` gives the same value with less SQL, with checks for what it assumes: no literal
       may make it fail. Out: a template of SQL.
#}
{% macro plain_value(decoder) %}
  {% if decoder.get('plain') %}{{ return(decoder['plain']) }}{% endif %}
  {% set conditions = [] %}
  {# a special value may have a value too, cut to what its type holds #}
  {% if decoder.get('special') %}{% do conditions.append(decoder['special'] ~ ' is null') %}{% endif %}
  {% if decoder.get('refuse') %}{% do conditions.append('not coalesce(' ~ decoder['refuse'] ~ ', false)') %}{% endif %}
  {{ return('case when ' ~ conditions | join(' and ') ~ ' then ' ~ decoder['value'] ~ ' end' if conditions else decoder['value']) }}
{% endmacro %}


{# The type such a literal is read as. In: decoder. Out: text. #}
{% macro plain_literal(decoder) %}
  {{ return(decoder.get('plain_literal') or decoder['literal']) }}
{% endmacro %}
