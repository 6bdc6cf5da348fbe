{# MongoDB object and array, and any: Extended JSON of the value, of any whatever it is (a string in its quotes). Out: dict of templates, see decoder. #}
{% macro decode_bson_json(type, settings) %}
  {% set is_kind = {'object': "{raw} like '{%' and {raw} not like '{\"$%'", 'array': "{raw} like '[%'", 'any': "{raw} <> 'null'"}[type['name']] %}
  {{ return(afterimage.bson_beside('string', 'if(' ~ is_kind ~ ', {raw}, null)')) }}
{% endmacro %}
