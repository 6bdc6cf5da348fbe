{#
  JSON object of values that are legal in the source and fit no Spark type: {"birth_date": "infinity"}; NULL when there is none.
  In: columns; is_full, whether a delete has more than the key; image, see raw_literal. Out: SQL text.
#}
{% macro special_values(columns, is_full, image='image') %}
  {% set values = {} %}
  {% for column in columns if column['decoder'].get('special') %}
    {% set special = afterimage.fill(column['decoder']['special'], afterimage.raw_literal(column, image)) %}
    {% if not is_full and not column['is_key'] %}{% set special = "case when op <> 'd' then " ~ special ~ " end" %}{% endif %}
    {% do values.update({column['name']: special}) %}
  {% endfor %}
  {{ return("nullif(" ~ afterimage.json_texts(values) ~ ", '{}')" if values else 'cast(null as string)') }}
{% endmacro %}
