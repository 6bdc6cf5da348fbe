{#
  The type of a row's image as from_json reads it: each column with the literal its decoder takes, under each name it has and had in events.
  In: columns (contract_columns); added, a list of {field} of text fields in the row (see added_fields). Out: text.
#}
{% macro row_image_type(columns, added=[]) %}
  {{ return(afterimage._struct_of(columns, added, 'field')) }}
{% endmacro %}


{#
  The same with the names that SQL distinguishes (member, see declared_columns): what an image is cast to. If all fields have such names it is the
  type itself.
#}
{% macro row_image_members(columns, added=[]) %}
  {{ return(afterimage._struct_of(columns, added, 'member')) }}
{% endmacro %}


{# A JSON text as a row's image (SQL). In: text (SQL); columns, added; options of from_json (SQL) or none. #}
{% macro row_image(text, columns, added=[], options=none) %}
  {% set type, members = afterimage.row_image_type(columns, added), afterimage.row_image_members(columns, added) %}
  {% set parsed = 'from_json(' ~ text ~ ', ' ~ afterimage.literal(type) ~ (', ' ~ options if options else '') ~ ')' %}
  {{ return(parsed if type == members else 'cast(' ~ parsed ~ ' as ' ~ members ~ ')') }}
{% endmacro %}


{% macro _struct_of(columns, added, name) %}
  {% set fields, former = [], [] %}
  {% for column in columns %}
    {% do fields.append('`' ~ column.get(name, column['field']) | replace('`', '``') ~ '`: ' ~ column['decoder']['literal']) %}
    {% for before in column.get('former', []) %}{% do former.append('`' ~ before[name] | replace('`', '``') ~ '`: ' ~ column['decoder']['literal']) %}{% endfor %}
  {% endfor %}
  {% for field in added %}{% do fields.append('`' ~ field['field'] ~ '`: string') %}{% endfor %}
  {{ return('struct<' ~ (fields + former) | join(', ') ~ '>') }}
{% endmacro %}
