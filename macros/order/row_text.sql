{#
  Key of a row of a table without a key: a hash of the full row, so equal rows share it (they are distinguished by count).
  In: columns; values, SQL of each by name (the columns themselves by default); special, SQL of the JSON of values that fit no Spark type.
  Out: SQL text, an md5.
#}
{% macro row_text(columns, values=none, special='_cdc_special') %}
  {% set fields = [] %}
  {% for column in columns %}
    {% set value = values[column['name']] if values is not none else column['sql'] %}
    {% do fields.append(afterimage.literal(column['name']) ~ ', ' ~ afterimage.zoneless(value, column['type'])) %}
  {% endfor %}
  {{ return('md5(to_json(named_struct(' ~ fields | join(', ') ~ ", '_cdc_special', " ~ special ~ ')))') }}
{% endmacro %}
