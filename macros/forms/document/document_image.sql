{#
  A document as a row image: a struct with the JSON text of the value at each declared path, as `image` of judged_records has the literals
  of a row; NULL where the document has no such path. A path is names with points between them; one of digits is an array index, or a name,
  also behind `_` (array.encoding=document).
  In: columns (contract_columns); document, in the form of document_text; approximate, SQL boolean;
  is_shown, SQL, false where only the `_id` of the document is known. Out: SQL struct, NULL where the document is.
#}
{% macro document_image(columns, document, approximate, is_shown='true') %}
  {% set fields = [] %}
  {% for column in columns %}
    {% if column['field'] == '_cdc_document' %}{% set value = 'if(' ~ is_shown ~ ', ' ~ afterimage.bare_doubles('d') ~ ', null)' %}
    {% elif column['field'] == '_cdc_approximate' %}{% set value = approximate %}
    {% else %}{% set value = afterimage.bare_numbers('to_json(' ~ afterimage._value_at('v', column['field']) ~ ')') %}{% endif %}
    {% do fields.append(afterimage.literal(column.get('member', column['field'])) ~ ', ' ~ value) %}
  {% endfor %}
  {{ return("get(transform(array(" ~ document ~ "), d -> get(transform(array(try_parse_json(d)), v -> if(d is null, null, named_struct(" ~ fields | join(', ') ~ "))), 0)), 0)") }}
{% endmacro %}


{# The value at a path of a VARIANT, VARIANT (SQL). #}
{% macro _value_at(value, path) %}
  {% set names, places, fields, has_digits = ['$'], ['$'], ['$'], [] %}
  {% for name in path.split('.') %}
    {% set quoted = '["' ~ name ~ '"]' if '\'' in name else "['" ~ name ~ "']" %}
    {% do names.append(quoted) %}
    {% if modules.re.match('[0-9]{1,9}\\Z', name) %}{% do places.append('[' ~ name | int ~ ']') %}{% do fields.append("['_" ~ name ~ "']") %}{% do has_digits.append(name) %}{% else %}{% do places.append(quoted) %}{% do fields.append(quoted) %}{% endif %}
  {% endfor %}
  {% set found = "try_variant_get(" ~ value ~ ", " ~ afterimage.literal(names | join) ~ ", 'variant')" %}
  {{ return("coalesce(try_variant_get(" ~ value ~ ", " ~ afterimage.literal(places | join) ~ ", 'variant'), " ~ found ~ ", try_variant_get(" ~ value ~ ", " ~ afterimage.literal(fields | join) ~ ", 'variant'))" if has_digits else found) }}
{% endmacro %}
