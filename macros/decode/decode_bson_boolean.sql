{# MongoDB bool. Out: dict of templates, see decoder. #}
{% macro decode_bson_boolean(type, settings) %}
  {{ return(afterimage.bson_decoder('boolean', "case {raw} when 'true' then true when 'false' then false end")) }}
{% endmacro %}
