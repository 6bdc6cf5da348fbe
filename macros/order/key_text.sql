{#
  The key of a row as one text: the value itself for a single column, a JSON array of texts for several; NULL when the key is NULL. One of
  several columns may be NULL, as in a unique index, if the record has the column, but not all of them.
  A key value that no Spark type holds (a date of infinity), or only in part, is taken from _cdc_special.
  In: list of {name, sql, type, decoder} of the key columns, in a step that has them and _cdc_special; has_special, whether _cdc_special may
  hold something; is_sent, SQL, whether the record has each column: without it none may be NULL. Out: SQL text.
#}
{% macro key_text(key_columns, has_special=true, is_sent=none) %}
  {% set parts = [] %}
  {% for column in key_columns %}
    {% set special = afterimage.special_text(column['name']) if has_special and column['decoder'].get('special') else none %}
    {% do parts.append(afterimage.key_part(column['sql'], column['type'], special)) %}
  {% endfor %}
  {{ return(afterimage.joined_key(parts, is_sent)) }}
{% endmacro %}


{#
  One value of a key as text, the same in every session time zone: an instant becomes its microseconds since 1970.
  In: SQL of the value, its Spark type, SQL of its text where the type cannot hold it in full, or none. Out: SQL text.
#}
{% macro key_part(value, type, special=none) %}
  {% set text = 'base64(' ~ value ~ ')' if type == 'binary' else value if type == 'string' else 'to_json(' ~ afterimage.zoneless(value, type) ~ ')' if '<' in type else 'cast(' ~ afterimage.zoneless(value, type) ~ ' as string)' %}
  {{ return('coalesce(' ~ special ~ ', ' ~ text ~ ')' if special else text) }}
{% endmacro %}


{# A key's text, with its physical table in front where it is unique only there. In: SQL of the key's text and of the table, contract. Out: SQL. #}
{% macro scoped_key(key, source_table, contract) %}
  {{ return("concat(" ~ source_table ~ ", ' ', " ~ key ~ ")" if contract['key_within'] == 'physical_table' else key) }}
{% endmacro %}


{# The parts of a key (SQL texts) joined into one text. In: is_sent, see key_text. #}
{% macro joined_key(parts, is_sent=none) %}
  {% if parts | length == 1 %}{{ return(parts[0]) }}{% endif %}
  {% set absent = [] %}
  {% for part in parts %}{% do absent.append(part ~ ' is not null') %}{% endfor %}
  {% set may_be_null = ' or (' ~ is_sent ~ ' and (' ~ absent | join(' or ') ~ '))' if is_sent else '' %}
  {{ return('case when ' ~ absent | join(' and ') ~ may_be_null ~ ' then to_json(array(' ~ parts | join(', ') ~ ')) end') }}
{% endmacro %}
