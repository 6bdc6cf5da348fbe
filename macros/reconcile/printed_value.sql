{#
  A text that the source database prints for a value, as a value of the column's type. A text that the type does not hold in full becomes NULL.

  In:  column (see contract_columns); text, SQL; contract. Out: SQL of the column's type, or none where the database prints another text than
       the model has: arrays, structs, intervals, bits, times with a zone, hstore.
  The text is what PostgreSQL writes for `value::text` and MySQL for `cast(value as char)`, instants in UTC where they name no zone: booleans as
  t, true or 1; bytes as \x… or 0x…; JSON with any spaces.
#}
{% macro printed_value(column, text, contract) %}
  {% set type, parsed = column['type'], afterimage.parsed_type(column['source_type'], contract) %}
  {% set family = afterimage.type_family(parsed, contract).removeprefix('unified_') %}
  {% if '<' in type or parsed['name'] == 'hstore' or family in ['interval', 'timetz'] or (family == 'bits' and type == 'string') %}{{ return(none) }}{% endif %}
  {% if type == 'binary' %}{{ return("unhex(regexp_replace(" ~ text ~ ", '^(\\\\\\\\x|0x)', ''))") }}{% endif %}
  {# years of five digits and before the first are text in the model #}
  {% if type == 'date' %}{{ return("if(" ~ text ~ " rlike '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$', try_cast(" ~ text ~ " as date), null)") }}{% endif %}
  {% if type in ['timestamp', 'timestamp_ntz'] %}
    {% set moment = "if(" ~ text ~ " rlike '[ T][0-9:.]+$', concat(" ~ text ~ ", ' UTC'), " ~ text ~ ")" if type == 'timestamp' else text %}
    {{ return("if(" ~ text ~ " rlike '^(?!0000)[0-9]{4}-[^B]*$', try_cast(" ~ moment ~ " as " ~ type ~ "), null)") }}
  {% endif %}
  {% if type in ['tinyint', 'smallint', 'int', 'bigint'] %}{{ return("if(" ~ text ~ " rlike '^[-+]?[0-9]+$', try_cast(" ~ text ~ " as " ~ type ~ "), null)") }}{% endif %}
  {% if type.startswith('decimal') %}
    {% set text = "translate(" ~ text ~ ", '$,', '')" if parsed['name'] == 'money' else text %}
    {% set scale = type[8:-1].split(',')[1] | int %}
    {{ return("if(" ~ text ~ " rlike '[.][0-9]{" ~ scale ~ "}0*[1-9]', null, try_cast(" ~ text ~ " as " ~ type ~ "))") }}
  {% endif %}
  {% if type != 'string' %}{{ return("try_cast(" ~ text ~ " as " ~ type ~ ")") }}{% endif %}
  {% if family == 'json' %}{{ return(afterimage.fill(column['decoder']['value'], text)) }}{% endif %}
  {% if family in ['time', 'duration'] %}{{ return("regexp_replace(" ~ text ~ ", '[.]0*$|([.][0-9]*[1-9])0+$', '$1')") }}{% endif %}
  {{ return(text) }}
{% endmacro %}


{# The text by which a value is compared; the spaces that pad a char are not part of it. In: column, value (SQL of the column's type), contract. Out: SQL. #}
{% macro compared_text(column, value, contract) %}
  {% set text = afterimage.key_part(value, column['type']) %}
  {% set is_padded = afterimage.parsed_type(column['source_type'], contract)['name'] in ['char', 'nchar', 'graphic'] and column['type'] == 'string' %}
  {{ return('rtrim(' ~ text ~ ')' if is_padded else text) }}
{% endmacro %}
