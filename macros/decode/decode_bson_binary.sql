{# MongoDB binData: its bytes; of which subtype they are, _cdc_document tells. Out: dict of templates, see decoder. #}
{% macro decode_bson_binary(type, settings) %}
  {{ return(afterimage.bson_beside('binary', "if({raw} like '{\"$binary\":%', unbase64(get_json_object({raw}, '$.$binary.base64')), null)")) }}
{% endmacro %}
