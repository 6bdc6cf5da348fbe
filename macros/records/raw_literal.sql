{#
  The literal of a column in an image struct: image.`Gift Wrap`. For a key column that the image does not have, or that was not sent, that in the
  record's key (see _key_in_record).
  In: column (see contract_columns); image, the struct: image, before, after, _cdc_image, … Out: SQL of the type that the column's decoder reads.
#}
{% macro raw_literal(column, image) %}
  {% set raw = afterimage._of_any_name(column, image, '_cdc_fields' if image == '_cdc_image' else 'fields') %}
  {% if image == 'image' and column['is_key'] %}
    {{ return('if(key_in_record is null or ' ~ afterimage._is_in_image(column, 'fields', raw) ~ ', ' ~ raw ~ ', ' ~ afterimage._of_any_name(column, 'key_in_record') ~ ')') }}
  {% endif %}
  {{ return(raw) }}
{% endmacro %}
