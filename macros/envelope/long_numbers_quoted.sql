{#
  A JSON object (SQL) whose members are texts where it has a number of more than 1,000 digits: functions of JSON give NULL for the whole of such a
  text, from_json alone reads it. Any other object as it is. In: text (SQL).
#}
{% macro long_numbers_quoted(text) %}
  {{ return("if(" ~ text ~ " is not null and json_object_keys(" ~ text ~ ") is null, coalesce(to_json(from_json(" ~ text
            ~ ", 'map<string, string>', map('maxNumLen', '" ~ afterimage.longest_number() ~ "'))), " ~ text ~ "), " ~ text ~ ")") }}
{% endmacro %}


{# How many digits a JSON number may have: those of PostgreSQL's longest numeric. By default Spark takes a record with one of more than 1,000 for broken. #}
{% macro longest_number() %}
  {{ return(150000) }}
{% endmacro %}


{# Whether records may have numbers of so many digits: where decimals are JSON numbers. In: contract. #}
{% macro has_long_numbers(contract) %}
  {{ return(contract['settings']['decimal_format'] == 'NUMERIC') }}
{% endmacro %}
