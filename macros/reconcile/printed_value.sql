{#
  A text that the source database prints for a value, as a value of the column's type. A text that it does not understand becomes NULL.

  In:  column (see contract_columns); text, SQL; contract. Out: SQL of the column's type, or none where the type is an array or a struct.
  The text is what PostgreSQL writes for `value::text` and MySQL for `cast(value as char)` in a session in UTC: booleans as t, true or 1; bytes
  as \x… or 0x…; JSON with any spaces. Any other value of a column whose type is string is compared as it is.
#}
{% macro printed_value(column, text, contract) %}
  {% set type, parsed = column['type'], afterimage.parsed_type(column['source_type'], contract) %}
  {% set family = afterimage.type_family(parsed, contract).removeprefix('unified_') %}
  {% if '<' in type %}{{ return(none) }}{% endif %}
  {% if type == 'binary' %}{{ return("unhex(regexp_replace(" ~ text ~ ", '^(\\\\\\\\x|0x)', ''))") }}{% endif %}
  {# years of five digits and before the first are text in the model #}
  {% if type in ['date', 'timestamp', 'timestamp_ntz'] %}{{ return("if(" ~ text ~ " rlike '^(?!0000)[0-9]{4}-[^B]*$', try_cast(" ~ text ~ " as " ~ type ~ "), null)") }}{% endif %}
  {% if type != 'string' %}{{ return("try_cast(" ~ (("translate(" ~ text ~ ", '$,', '')") if parsed['name'] == 'money' else text) ~ " as " ~ type ~ ")") }}{% endif %}
  {% if family == 'json' %}{{ return(afterimage.fill(column['decoder']['value'], text)) }}{% endif %}
  {% if family in ['time', 'duration'] %}{{ return("regexp_replace(" ~ text ~ ", '[.]0*$|([.][0-9]*[1-9])0+$', '$1')") }}{% endif %}
  {{ return(text) }}
{% endmacro %}


{# The text by which a value is compared; the spaces that pad a char are not part of it. In: column, value (SQL of the column's type). Out: SQL. #}
{% macro compared_text(column, value) %}
  {% set text = afterimage.key_part(value, column['type']) %}
  {{ return('rtrim(' ~ text ~ ')' if modules.re.match('(?i)(char|character|bpchar|nchar) *(\\(|$)', column['source_type']) else text) }}
{% endmacro %}
