{#
  Text (SQL) of the image a record speaks of, where a form keeps it in `before` and `after`, or is it. In: format; is_exact, whether its numbers are
  exact to 38 digits: its keys stand in another order then, and it costs as much as parsing, so it is of use behind a look that tells that it is needed.
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
