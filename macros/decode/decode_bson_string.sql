{# MongoDB string. Out: dict of templates, see decoder. #}
{% macro decode_bson_string(type, settings) %}
  {{ return(afterimage.bson_decoder('string', "if({raw} like '\"%', try_variant_get(try_parse_json({raw}), '$', 'string'), null)")) }}
{% endmacro %}
