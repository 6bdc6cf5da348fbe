{#
  Text (SQL) of the image a record carries, where a form has it in `before` and `after`, or is the row itself. In: format; is_exact, whether numbers
  are exact to 38 digits. The keys then have another order, and it costs as much as parsing, so use it only behind a cheap check that it is needed.
#}
{% macro image_text(format, is_exact=false) %}
  {% set traits, images = afterimage.record_format(format), [] %}
  {% if not traits['has_envelope'] %}{{ return('row_text') }}{% endif %}
  {% for path in ['after', 'before', 'payload.after', 'payload.before'] %}
    {% set path = "'$." ~ ('data.' if traits['has_data'] else '') ~ path ~ "'" %}
    {% do images.append("nullif(to_json(try_variant_get(try_parse_json(record_value), " ~ path ~ ", 'variant')), 'null')" if is_exact
                        else "get_json_object(record_value, " ~ path ~ ")") %}
  {% endfor %}
  {{ return('coalesce(' ~ images | join(', ') ~ ')') }}
{% endmacro %}
