{# MongoDB binData: its bytes, base64 from ExtractNewDocumentState; _cdc_document has their subtype. Out: dict of templates, see decoder. #}
{% macro decode_bson_binary(type, settings) %}
  {% set base64 = "nullif(regexp_extract({raw}, " ~ afterimage.literal('^"((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)"$') ~ ", 1), '')" %}
  {% if type['has_bare_values'] %}{{ return(afterimage.bson_decoder('binary', "unbase64(" ~ base64 ~ ")")) }}{% endif %}
  {{ return(afterimage.bson_decoder('binary', "if({raw} like '{\"$binary\":%', unbase64(get_json_object({raw}, '$.$binary.base64')), null)")) }}
{% endmacro %}
