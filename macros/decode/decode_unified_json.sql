{# Unified type json of Datastream: text of one JSON value, or that value itself. Out: as decode_json. #}
{% macro decode_unified_json(type, settings) %}
  {% set text = "if(coalesce(schema_of_variant({raw}), 'VOID') = 'STRING', try_variant_get({raw}, '$', 'string'), to_json({raw}))" %}
  {% set value = afterimage.decode_json(type, settings)['value'] | replace('{raw}', 't') %}
  {{ return({'literal': 'variant', 'type': 'string', 'value': 'get(transform(array(' ~ text ~ '), t -> ' ~ value ~ '), 0)'}) }}
{% endmacro %}
