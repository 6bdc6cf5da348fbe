{# MongoDB objectId -> its 24 hexadecimal digits, which ExtractNewDocumentState writes as a text. Out: dict of templates, see decoder. #}
{% macro decode_bson_objectid(type, settings) %}
  {% set bare = "nullif(regexp_extract({raw}, '^\"([0-9A-Fa-f]{24})\"$', 1), '')" %}
  {{ return(afterimage.bson_decoder('string', bare if type['has_bare_values'] else afterimage._unwrapped_bson('oid'))) }}
{% endmacro %}
