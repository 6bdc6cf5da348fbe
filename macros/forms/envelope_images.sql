{#
  The images of an envelope, which with a schema block are one level down, in `payload`. In: contract; within, SQL of the struct that has them.
  Out: SQL, the last columns of a select: before, after and image_text; for documents their texts (see document_texts).
#}
{% macro envelope_images(contract, within) -%}
{% if afterimage.is_document(contract) -%}
{{ afterimage.document_texts(within) }}
{%- else -%}
coalesce({{ within }}.payload.before, {{ within }}.before) as before,
        coalesce({{ within }}.payload.after, {{ within }}.after) as after,
        {{ afterimage.image_text(contract['format']) }} as image_text
{%- endif %}
{%- endmacro %}


{# Fields of that struct, as from_json reads them. In: contract; columns of a row. #}
{% macro images_type(contract, columns) %}
  {% if afterimage.is_document(contract) %}{{ return(afterimage.document_images_type()) }}{% endif %}
  {{ return('before: ' ~ afterimage.row_image_type(columns) ~ ', after: ' ~ afterimage.row_image_type(columns)) }}
{% endmacro %}
