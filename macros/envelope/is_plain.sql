{#
  True (SQL) for a record that holds just what is expected: one document without spaces, the keys of a Debezium envelope once each and in
  Debezium's order, and in each image just the declared columns in the contract's order. With or without the schema block.

  One pass of a regular expression in the place of several of a JSON parser. It is a proof, not a guess: where it matches, no field is
  missing, undeclared or there twice, and nothing follows the document. A record that it does not match is no worse; it is looked at part
  by part. Whether the JSON is whole and its values fit is for the parser to say.
  Every repeated group is possessive, so nothing is tried twice and a long string needs no stack. Repeated classes of characters are not: Java
  runs through those in a tight loop (half the time of the whole), and what follows one is never of the class.
  In: columns, a list of {field}, in a step that has record_value.
#}
{% macro is_plain(columns) %}
  {{ return('record_value rlike ' ~ afterimage.literal(afterimage._plain_record(columns))) }}
{% endmacro %}


{#
  The same of a row that stands alone (format unwrapped): the declared columns in order, then those of the added fields that are there.
  In: row, its text (SQL); columns and added, lists of {field}.
#}
{% macro is_plain_row(row, columns, added) %}
  {% set value = afterimage._plain_value() %}
  {% set fields, more = [], [] %}
  {% for column in columns %}{% do fields.append(afterimage._plain_name(column['field']) ~ value) %}{% endfor %}
  {% for field in added %}{% do more.append('(?:,' ~ afterimage._plain_name(field['field']) ~ value ~ ')?+') %}{% endfor %}
  {{ return(row ~ ' rlike ' ~ afterimage.literal('\\A\\{' ~ fields | join(',') ~ more | join ~ '\\}\\z')) }}
{% endmacro %}


{# The regular expression of such a record. In: columns, a list of {field}. Out: text. #}
{% macro _plain_record(columns) %}
  {% set object = afterimage._plain_object() %}
  {% set fields = [] %}
  {% for column in columns %}{% do fields.append(afterimage._plain_name(column['field']) ~ afterimage._plain_value()) %}{% endfor %}
  {% set image = '(?:null|\\{' ~ fields | join(',') ~ '\\})' %}
  {% set transaction = '(?:,"transaction":(?:null|' ~ object ~ '))?+' %}
  {# to the first brace that closes: were it within a string, what follows would end that string and not be JSON #}
  {% set source = '(?:\\{[^{}]*\\}|' ~ object ~ ')' %}
  {% set envelope = '\\{"before":' ~ image ~ ',"after":' ~ image ~ ',"source":' ~ source ~ transaction
                    ~ ',"op":"[a-z]"(?:,"ts_[mun]s":[^,}]+)*+' ~ transaction ~ '\\}' %}
  {# up to the first key that must not stand twice, which is payload; the braces that end the document end it and what it stands in #}
  {% set schema = '[^"]*(?:"(?!(?:schema|payload|op|before|after|source)":)[^"]*)*+' %}
  {{ return('\\A(?:' ~ envelope ~ '|\\{"schema":' ~ schema ~ '(?<=,)"payload":' ~ envelope ~ '\\})\\z') }}
{% endmacro %}


{% macro _plain_name(name) %}
  {{ return('"' ~ modules.re.escape(name | replace('\\', '\\\\') | replace('"', '\\"')) ~ '":') }}
{% endmacro %}


{% macro _plain_value() %}
  {{ return('(?:' ~ afterimage._plain_text() ~ '|[^,"\\[\\]{}]+|\\[' ~ afterimage._plain_inner() ~ '\\]|' ~ afterimage._plain_object() ~ ')') }}
{% endmacro %}


{% macro _plain_object() %}
  {{ return('\\{' ~ afterimage._plain_inner() ~ '\\}') }}
{% endmacro %}


{% macro _plain_inner() %}
  {{ return('(?:[^\\[\\]{}"]+|' ~ afterimage._plain_text() ~ ')*+') }}
{% endmacro %}


{% macro _plain_text() %}
  {{ return('"[^"\\\\]*(?:\\\\.[^"\\\\]*)*+"') }}
{% endmacro %}
