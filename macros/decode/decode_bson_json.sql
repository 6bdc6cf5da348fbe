{# MongoDB object, array and any: Extended JSON of the value, of any kind for any (a string in its quotes). Out: dict of templates, see decoder. #}
{% macro decode_bson_json(type, settings) %}
  {% set is_kind = {'object': "{raw} like '{%' and {raw} not like '{\"$%'", 'array': "{raw} like '[%'", 'any': "{raw} <> 'null'"}[type['name']] %}
  {% set keys = 'json_object_keys({raw})' %}
  {% set elements = "transform(sequence(0, size(" ~ keys ~ ") - 1), n -> try_element_at(from_json(" ~ afterimage.doubles_wrapped('{raw}') ~ ", 'map<string, variant>'), concat('_', n)))" %}
  {% set of_fields = "if({raw} like '{\"_0\":%' and forall(" ~ keys ~ ", k -> k rlike '^_[0-9]+$'), " ~ afterimage.bare_numbers('to_json(' ~ elements ~ ')') ~ ", null)" %}
  {% if type['has_bare_values'] and type['name'] == 'array' %}
    {# under array.encoding=document its elements are fields, named _0, _1, … #}
    {{ return(afterimage.bson_decoder('string', "if({raw} like '[%', {raw}, " ~ of_fields ~ ")")) }}
  {% endif %}
  {{ return(afterimage.bson_decoder('string', 'if(' ~ is_kind ~ ', {raw}, null)')) }}
{% endmacro %}
