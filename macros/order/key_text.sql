{#
  The key of a row as one text: the value itself for a single column, a JSON array of texts for several; NULL when a part is NULL.
  In: list of {name, type} of the key columns, prefix of the columns ("" or "k."). Out: SQL text.
#}
{% macro key_text(key_columns, prefix='') %}
  {% set parts = [] %}
  {% for column in key_columns %}
    {% set name = prefix ~ afterimage.identifier(column['name']) %}
    {% do parts.append('base64(' ~ name ~ ')' if column['type'] == 'binary' else name if column['type'] == 'string' else 'cast(' ~ name ~ ' as string)') %}
  {% endfor %}
  {% if parts | length == 1 %}{{ return(parts[0]) }}{% endif %}
  {% set absent = [] %}
  {% for part in parts %}{% do absent.append(part ~ ' is not null') %}{% endfor %}
  {{ return('case when ' ~ absent | join(' and ') ~ ' then to_json(array(' ~ parts | join(', ') ~ ')) end') }}
{% endmacro %}


{# Key of a row of a table without one: the whole row, so that equal rows share it (they are told apart by count). Out: SQL text. #}
{% macro row_text(columns) %}
  {% set names = [] %}
  {% for column in columns %}{% do names.append(afterimage.identifier(column['name'])) %}{% endfor %}
  {{ return('md5(to_json(struct(' ~ names | join(', ') ~ ')))') }}
{% endmacro %}
