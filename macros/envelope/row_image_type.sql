{#
  The type of a row's image as from_json reads it: each column as its decoder wants the literal.
  In: columns (contract_columns); added, a list of {field} of texts that stand among them (see added_fields). Out: text.
#}
{% macro row_image_type(columns, added=[]) %}
  {% set fields = [] %}
  {% for column in columns %}
    {% do fields.append('`' ~ column['field'] ~ '`: ' ~ column['decoder']['literal']) %}
  {% endfor %}
  {% for field in added %}{% do fields.append('`' ~ field['field'] ~ '`: string') %}{% endfor %}
  {{ return('struct<' ~ fields | join(', ') ~ '>') }}
{% endmacro %}
