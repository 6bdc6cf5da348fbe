{# The type of a row, its fields in the order of the stream, one per line; added, text fields at its end. In: contract; form. Out: text. #}
{% macro routine_row_type(contract, form, added=[]) %}
  {% set literals, lines = {}, [] %}
  {% for column in contract['columns'] %}
    {% do literals.update({column['field']: afterimage.plain_literal(afterimage.decoder_of_column(column['name'], column['source_type'], contract))}) %}
  {% endfor %}
  {% for field in form['fields'] %}{% do lines.append('        `' ~ field ~ '`: ' ~ literals[field]) %}{% endfor %}
  {% for field in added %}{% do lines.append('        `' ~ field ~ '`: string') %}{% endfor %}
  {{ return('struct<\n' ~ lines | join(',\n') ~ '\n    >') }}
{% endmacro %}
