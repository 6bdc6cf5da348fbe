{#
  The type of a row's image as from_json reads it: each column with the literal its decoder takes, under each name it has and had in events.
  In: columns (contract_columns); added, a list of {field} of text fields in the row (see added_fields); name, field, or member for the names that
  SQL distinguishes (see declared_columns): what an image is cast to. If all fields have such names both are the same type. Out: text.
#}
{% macro row_image_type(columns, added=[], name='field') %}
  {% set fields, former = [], [] %}
  {% for column in columns %}
    {% do fields.append('`' ~ column.get(name, column['field']) | replace('`', '``') ~ '`: ' ~ column['decoder']['literal']) %}
    {% for before in column.get('former', []) %}{% do former.append('`' ~ before[name] | replace('`', '``') ~ '`: ' ~ column['decoder']['literal']) %}{% endfor %}
  {% endfor %}
  {% for field in added %}{% do fields.append('`' ~ field['field'] ~ '`: string') %}{% endfor %}
  {{ return('struct<' ~ (fields + former) | join(', ') ~ '>') }}
{% endmacro %}


{# A JSON text as a row's image (SQL). In: text (SQL); columns, added; options of from_json (SQL) or none. #}
{% macro row_image(text, columns, added=[], options=none) %}
  {% set type, members = afterimage.row_image_type(columns, added), afterimage.row_image_type(columns, added, 'member') %}
  {% set parsed = 'from_json(' ~ text ~ ', ' ~ afterimage.literal(type) ~ (', ' ~ options if options else '') ~ ')' %}
  {{ return(parsed if type == members else 'cast(' ~ parsed ~ ' as ' ~ members ~ ')') }}
{% endmacro %}
