{# MongoDB objectId -> its 24 hexadecimal digits. Out: dict of templates, see decoder. #}
{% macro decode_bson_objectid(type, settings) %}
  {{ return(afterimage.bson_beside('string', afterimage._unwrapped_bson('oid'))) }}
{% endmacro %}
